import type { Pace } from "../../measure/interleave.js";
import type { Row } from "./rows.js";

/** How thoroughly: `smoke` only shows that everything works. */
export type Effort = "full" | "quick" | "smoke";

/** What a worker is asked. */
export interface Job {
  readonly row: Row;
  readonly effort: Effort;
  /** Gives players another order. */
  readonly repetition: number;
}

/** A library in a table. */
export interface Entrant {
  readonly id: string;
  readonly title: string;
  /** `ours` first: who the others are compared with. `variant`: ours in another way. */
  readonly role: "ours" | "variant" | "binary" | "text";
  /** Which of ours it is compared with, where that is not the first. */
  readonly against?: string;
}

/** What a worker answers. */
export interface Answer {
  readonly entrants: readonly Entrant[];
  /** Nanoseconds of a call, by entrant, for each round. */
  readonly times: Readonly<Record<string, readonly number[]>>;
  /** Bytes of the message, or a mean, as the first of ours writes it. */
  readonly bytes: number;
  /** What the browser's clock counts in. */
  readonly clockMs: number;
}

/** How long a race is; `layers`: of the large message of Protobuf. */
export interface Length {
  readonly pace: Pace;
  readonly layers: number;
}

/** Calls of a large message are few and long: one is a sample. */
const LARGE_SAMPLE_MS = 1;

/** Many short samples: one that was interrupted is lost, and the median does not see it. */
const PACES: Readonly<Record<Effort, Pace>> = {
  full: { warmUpRounds: 25, rounds: 41, sampleMs: 8 },
  quick: { warmUpRounds: 15, rounds: 15, sampleMs: 8 },
  smoke: { warmUpRounds: 0, rounds: 2, sampleMs: 0.1 },
};

const LARGE_PACES: Readonly<Record<Effort, Pace>> = {
  full: { warmUpRounds: 2, rounds: 9, sampleMs: LARGE_SAMPLE_MS },
  quick: { warmUpRounds: 1, rounds: 3, sampleMs: LARGE_SAMPLE_MS },
  smoke: { warmUpRounds: 0, rounds: 2, sampleMs: LARGE_SAMPLE_MS },
};

/** 5,000 layers are 30 MB. */
const LAYERS: Readonly<Record<Effort, number>> = { full: 5000, quick: 5000, smoke: 40 };

/** How long this race is. */
export function lengthOf({ row, effort }: Job): Length {
  const isLarge = row.group === "protobuf" && row.message === "large";
  return { pace: (isLarge ? LARGE_PACES : PACES)[effort], layers: LAYERS[effort] };
}
