/** How long and how much is measured. A quick run finds mistakes; its figures say little. */

/** Sizes of all parts. Times are milliseconds. */
export interface Scale {
  /** Rounds of texts and of objects in a process, and the length of each. */
  readonly rounds: number;
  readonly roundMs: number;
  readonly warmupMs: number;
  /** Serialization alone: rounds, and how long a turn of each way takes. */
  readonly aloneRounds: number;
  readonly aloneMs: number;
  /** Series: rounds of writing in a process, metrics, and minutes of them. */
  readonly writeRounds: number;
  readonly metrics: number;
  readonly minutes: number;
  /** Points that the other ways to write write in a round. */
  readonly keyPoints: number;
  readonly keysPoints: number;
  /** Series that are read: an hour of them, and how often. */
  readonly hourMetrics: number;
  readonly reads: number;
  readonly readRounds: number;
}

export const FULL: Scale = {
  rounds: 7,
  roundMs: 200,
  warmupMs: 300,
  aloneRounds: 20,
  aloneMs: 20,
  writeRounds: 5,
  metrics: 12_000,
  minutes: 10,
  keyPoints: 60_000,
  keysPoints: 240_000,
  hourMetrics: 1600,
  reads: 150,
  readRounds: 3,
};

export const QUICK: Scale = {
  rounds: 3,
  roundMs: 40,
  warmupMs: 40,
  aloneRounds: 3,
  aloneMs: 3,
  writeRounds: 1,
  metrics: 480,
  minutes: 2,
  keyPoints: 2000,
  keysPoints: 4800,
  hourMetrics: 160,
  reads: 16,
  readRounds: 1,
};
