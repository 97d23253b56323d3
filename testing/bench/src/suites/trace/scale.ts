/** How much is measured. A quick run finds mistakes; its figures say little. */

/** Sizes of all parts. */
export interface Scale {
  /** How often servers are started anew. */
  readonly repetitions: number;
  readonly warmUpRounds: number;
  readonly rounds: number;
  /** Requests of a turn. */
  readonly amount: number;
  /** Requests whose answers are checked. */
  readonly checked: number;
  /** Lines of Node besides this one. */
  readonly majors: readonly number[];
  /** Rounds of a race within a process, and the milliseconds of a sample. */
  readonly microRounds: number;
  readonly sampleMs: number;
  /** Ids that are kept. */
  readonly kept: number;
}

/** The sizes of a run with this many processes. */
export function scaleOf(quick: boolean, processes: number): Scale {
  return quick
    ? {
        repetitions: processes,
        warmUpRounds: 1,
        rounds: 3,
        amount: 200,
        checked: 100,
        majors: [],
        microRounds: 5,
        sampleMs: 5,
        kept: 2000,
      }
    : {
        // Processes differ by more than rounds.
        repetitions: 2 * processes - 1,
        warmUpRounds: 3,
        rounds: 8,
        amount: 800,
        checked: 400,
        majors: [22, 24],
        microRounds: 40,
        sampleMs: 15,
        kept: 100_000,
      };
}
