import type { Contestant } from "../../../measure/interleave.js";
import type { Entrant, Job } from "../job.js";

/** Everybody of a row, checked and ready. */
export interface PageRace {
  readonly entrants: readonly Entrant[];
  readonly contestants: readonly Contestant[];
  /** Of the message, or a mean, as the first of ours writes it. */
  readonly bytes: number;
  /** What has to live as long as the race. */
  readonly kept?: unknown;
}

/** Sets a row up. Throws where somebody writes or reads other values: equality first. */
export type Prepare = (job: Job, layers: number) => PageRace | Promise<PageRace>;
