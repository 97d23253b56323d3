/** Results of runs: plain data that can be stored as JSON. */
import type { Distribution, Scenario } from "./options/options.js";
import type { Ramp } from "./options/ramp.js";
import type { OperationNames } from "./target.js";

/** Percentiles of times, in milliseconds. All are 0 if no time was recorded. */
export interface Percentiles {
  /** Half of the times are at most this long. */
  readonly p50: number;
  /** 90 % of the times are at most this long. */
  readonly p90: number;
  /** 99 % of the times are at most this long. */
  readonly p99: number;
  /** 99.9 % of the times are at most this long. */
  readonly p999: number;
  /** The longest time. */
  readonly max: number;
  /** The mean of all times. */
  readonly mean: number;
}

/** The machine of a run. */
export interface Machine {
  /** The version of Node, such as `24.11.0`. */
  readonly node: string;
  /** The model of the processor. */
  readonly cpu: string;
  /** The number of processor cores. */
  readonly cores: number;
  /** The operating system and its version. */
  readonly os: string;
  /** The load average over a minute before the run; 0 on Windows. */
  readonly loadBefore: number;
}

/** Number of errors by code. */
export type ErrorCounts = Readonly<Record<string, number>>;

/** The options of a run, with defaults. Times are in milliseconds. */
export interface ResultOptions {
  /** The kind of operations. */
  readonly scenario: Scenario;
  /** The names of the operations, if the target names them. */
  readonly operationNames?: OperationNames;
  /** The length of texts in bytes, or the number of records; null if no operation uses values. */
  readonly payload: { readonly bytes: number } | { readonly records: number } | null;
  /** Maximum number of operations in flight. */
  readonly concurrency: number | Ramp;
  /** Scheduled operations per second; null without a schedule. */
  readonly rate: number | Ramp | null;
  /** Number of operations of a round; null if `durationMs` limits the round. */
  readonly operations: number | null;
  /** The length of a round; null if `operations` limits it. */
  readonly durationMs: number | null;
  /** The length of the warm-up. */
  readonly warmupMs: number;
  /** The number of rounds. */
  readonly rounds: number;
  /** Null for a function, whose keys are the numbers of operations, and if no operation uses its key. */
  readonly keys: number | null;
  /** The distribution of keys. */
  readonly distribution: Distribution;
  /** The seed of the random order of keys and operations. */
  readonly seed: number;
  /** An operation that takes longer is an error. */
  readonly timeoutMs: number;
}

/** One round. */
export interface RoundResult {
  /** Successful operations. */
  readonly operations: number;
  /** From the start of the round to the end of its last operation. */
  readonly seconds: number;
  /** Successful operations per second. */
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
  /** The median over the rounds. */
  readonly median: number;
  /** The lowest value of a round. */
  readonly low: number;
  /** The highest value of a round. */
  readonly high: number;
}

/** All complete rounds together; the partial round if it is the only one. */
export interface Summary {
  /** The number of rounds in the summary. */
  readonly rounds: number;
  /** Successful operations of these rounds. */
  readonly operations: number;
  /** Successful operations per second, over the rounds. */
  readonly perSecond: Spread;
  /** Percentiles of all rounds merged, in milliseconds. */
  readonly response: Percentiles;
  /** Times from the start of operations to their end, of all rounds merged, in milliseconds. */
  readonly service: Percentiles;
  /** Times from the due time of operations to their start, in milliseconds; null without a schedule. */
  readonly late: Percentiles | null;
  /** Failed operations, by code. */
  readonly errors: ErrorCounts;
  /** Wrong answers among the checked operations. */
  readonly wrong: number;
  /** CPU time of this process per operation, all threads, in microseconds. */
  readonly cpuMicros: number;
  /** The share of the time in which the event loop was busy, from 0 to 1. */
  readonly utilisation: number;
  /** The longest delay of the event loop. */
  readonly loopDelayMs: number;
  /** Time in the garbage collector. */
  readonly gcMs: number;
}

/** The result of {@link load}. */
export interface LoadResult {
  /** The version of this format. */
  readonly format: 1;
  /** The target's name. */
  readonly target: string;
  /** The options of the run, with defaults. */
  readonly options: ResultOptions;
  /** True if the run was interrupted: some rounds are missing, or the last one is partial. */
  readonly interrupted: boolean;
  /** The machine of the run. */
  readonly machine: Machine;
  /** When the run began, as ISO 8601. */
  readonly date: string;
  /** One entry for each round. */
  readonly rounds: readonly RoundResult[];
  /** Null if the run was interrupted before its first round. */
  readonly summary: Summary | null;
  /** Reasons not to trust the figures: wrong answers, also in the warm-up, or a failed close. Empty for a good run. */
  readonly failures: readonly string[];
  /** Remarks for the reader: this process may have been the limit, a spread above 10 %, rounds behind their schedule. */
  readonly notes: readonly string[];
}

/** Figures of a target as multiples of the first target's figures, within each round. */
export interface Ratios {
  /** The target's name. */
  readonly target: string;
  /** The ratio of operations per second: above 1 is faster than the first target. */
  readonly perSecond: Spread;
  /** The ratio of median response times: below 1 is faster. */
  readonly p50: Spread;
  /** The ratio of the 99th percentiles of response times: below 1 is faster. */
  readonly p99: Spread;
  /** The ratio of CPU times per operation: below 1 is less. */
  readonly cpuMicros: Spread;
}

/** The result of {@link compare}. */
export interface Comparison {
  /** The version of this format. */
  readonly format: 1;
  /** True if the run was interrupted. */
  readonly interrupted: boolean;
  /** The result of each target, in the order of the call. */
  readonly targets: readonly LoadResult[];
  /** One entry for each target after the first; empty if no round is complete. */
  readonly ratios: readonly Ratios[];
}
