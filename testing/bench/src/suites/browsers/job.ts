import type { Pace } from "../../measure/interleave.js";
import type { Row } from "./rows.js";

/** How thorough the run is: `smoke` only shows that everything works. */
export type Effort = "full" | "quick" | "smoke";

/** The job of a worker. */
export interface Job {
  readonly row: Row;
  readonly effort: Effort;
  /** Changes the order of the candidates. */
  readonly repetition: number;
}

/** A library in a table. */
export interface Entrant {
  readonly id: string;
  readonly title: string;
  /** `ours`: the candidate that the others are compared with. `against`: one of ours that only some are compared with. */
  readonly role: "ours" | "against" | "binary" | "text";
  /** The candidate of the role `against` that it is compared with, if not `ours`. */
  readonly against?: string;
}

/** The result of a worker. */
export interface RowResult {
  readonly entrants: readonly Entrant[];
  /** Nanoseconds per call, by entrant, for each round. */
  readonly times: Readonly<Record<string, readonly number[]>>;
  /** Size of the message, or a mean, as our first candidate writes it. */
  readonly bytes: number;
  /** The resolution of the browser's clock. */
  readonly clockMs: number;
}

/** The length of a race; `layers` is the size of Protobuf's large message. */
export interface Length {
  readonly pace: Pace;
  readonly layers: number;
}

/** Calls with a large message are few and long, so each is a sample. */
const LARGE_SAMPLE_MS = 1;

/** Many short samples: the median ignores an interrupted one. */
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

/** The length of this race. */
export function lengthOf({ row, effort }: Job): Length {
  const isLarge = row.group === "protobuf" && row.message === "large";
  return { pace: (isLarge ? LARGE_PACES : PACES)[effort], layers: LAYERS[effort] };
}
