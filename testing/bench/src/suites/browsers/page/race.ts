import type { Contestant } from "../../../measure/interleave.js";
import type { Entrant, Job } from "../job.js";

/** A row whose candidates are checked and ready. */
export interface PageRace {
  readonly entrants: readonly Entrant[];
  readonly contestants: readonly Contestant[];
  /** Size of the message, or a mean, as our first candidate writes it. */
  readonly bytes: number;
  /** A value that must live as long as the race. */
  readonly kept?: unknown;
}

/** Prepares a row. Throws if a candidate writes or reads other values. */
export type Prepare = (job: Job, layers: number) => PageRace | Promise<PageRace>;
