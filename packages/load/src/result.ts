/** Results of runs: plain data that can be stored as JSON. */
import type { Distribution, Scenario } from "./options/options.js";

/** Percentiles of times, in milliseconds. All are 0 if no time was recorded. */
export interface Percentiles {
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly p999: number;
  readonly max: number;
  readonly mean: number;
}

/** The machine of a run. */
export interface Machine {
  readonly node: string;
  readonly cpu: string;
  readonly cores: number;
  readonly os: string;
  /** The load average over a minute before the run; 0 on Windows. */
  readonly loadBefore: number;
}

/** Number of errors by code. */
export type ErrorCounts = Readonly<Record<string, number>>;

/** The options of a run, with defaults. Times are in milliseconds. */
export interface ResultOptions {
  readonly scenario: Scenario;
  /** The length of texts in bytes, or the number of records; null if values are not used. */
  readonly payload: { readonly bytes: number } | { readonly records: number } | null;
  readonly concurrency: number;
  /** Scheduled operations per second; null without a schedule. */
  readonly rate: number | null;
  /** Number of operations of a round; null if `durationMs` limits the round. */
  readonly operations: number | null;
  readonly durationMs: number | null;
  readonly warmupMs: number;
  readonly rounds: number;
  /** Null for a function, whose keys are the numbers of operations. */
  readonly keys: number | null;
  readonly distribution: Distribution;
  readonly seed: number;
  readonly timeoutMs: number;
}

/** One round. */
export interface RoundResult {
  /** Successful operations. */
  readonly operations: number;
  /** From the start of the round to the end of its last operation. */
  readonly seconds: number;
  readonly perSecond: number;
  /** Failed operations, by code. */
  readonly errors: ErrorCounts;
  /** Wrong answers among the checked operations. */
  readonly wrong: number;
  /** Times from the due time of operations to their end, in milliseconds. Without a schedule the same as `service`. */
  readonly response: Percentiles;
  /** Times from the start of operations to their end. */
  readonly service: Percentiles;
  /** Times from the due time of operations to their start; null without a schedule. */
  readonly late: Percentiles | null;
  /** HDR histograms of nanoseconds (V2, compressed, base64). `service` and `late` are null without a schedule. */
  readonly histograms: {
    readonly response: string;
    readonly service: string | null;
    readonly late: string | null;
  };
  /** CPU time of this process per operation, all threads, in microseconds. */
  readonly cpuMicros: number;
  /** The share of the time in which the event loop was busy, from 0 to 1. */
  readonly utilisation: number;
  /** The longest delay of the event loop. */
  readonly loopDelayMs: number;
  /** Time in the garbage collector. */
  readonly gcMs: number;
  /** The round ended more than 100 ms behind its schedule. */
  readonly saturated: boolean;
  /** The run was interrupted in this round. */
  readonly partial: boolean;
}

/** The median, the lowest and the highest value. */
export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** All complete rounds together; the partial round if it is the only one. */
export interface Summary {
  readonly rounds: number;
  readonly operations: number;
  readonly perSecond: Spread;
  /** Percentiles of all rounds merged, in milliseconds. */
  readonly response: Percentiles;
  readonly service: Percentiles;
  readonly late: Percentiles | null;
  readonly errors: ErrorCounts;
  readonly wrong: number;
  readonly cpuMicros: number;
  readonly utilisation: number;
  readonly loopDelayMs: number;
  readonly gcMs: number;
}

/** The result of {@link load}. */
export interface LoadResult {
  readonly format: 1;
  /** The target's name. */
  readonly target: string;
  readonly options: ResultOptions;
  readonly interrupted: boolean;
  readonly machine: Machine;
  /** When the run began, as ISO 8601. */
  readonly date: string;
  readonly rounds: readonly RoundResult[];
  /** Null if the run was interrupted before its first round. */
  readonly summary: Summary | null;
  /** Reasons not to trust the figures: wrong answers, also in the warm-up, or a failed close. Empty for a good run. */
  readonly failures: readonly string[];
  /** Remarks for the reader: this process was the limit, a spread above 10 %, rounds behind their schedule. */
  readonly notes: readonly string[];
}

/** Figures of a target as multiples of the first target's figures, within each round. */
export interface Ratios {
  readonly target: string;
  readonly perSecond: Spread;
  readonly p50: Spread;
  readonly p99: Spread;
  readonly cpuMicros: Spread;
}

/** The result of {@link compare}. */
export interface Comparison {
  readonly format: 1;
  readonly interrupted: boolean;
  readonly targets: readonly LoadResult[];
  /** One entry for each target after the first; empty if no round is complete. */
  readonly ratios: readonly Ratios[];
}
