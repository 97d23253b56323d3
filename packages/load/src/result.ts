/** Results. They are plain data: JSON holds them as they are. */
import type { Distribution, Scenario } from "./options/options.js";

/** Percentiles of times, in milliseconds. All are 0 where nothing was recorded. */
export interface Percentiles {
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly p999: number;
  readonly max: number;
  readonly mean: number;
}

/** Where a run took place. */
export interface Machine {
  readonly node: string;
  readonly cpu: string;
  readonly cores: number;
  readonly os: string;
  /** The load average over a minute before the run; 0 on Windows. */
  readonly loadBefore: number;
}

/** Counts of errors by their codes. */
export type ErrorCounts = Readonly<Record<string, number>>;

/** The options of a run, with defaults. Times are in milliseconds. */
export interface ResultOptions {
  readonly scenario: Scenario;
  /** The bytes of texts, or the number of records; null where values are not used. */
  readonly payload: { readonly bytes: number } | { readonly records: number } | null;
  readonly concurrency: number;
  /** Operations a second; null without a schedule. */
  readonly rate: number | null;
  /** Operations of a round; null where `durationMs` decides. */
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
  /** Operations that ended well. */
  readonly operations: number;
  /** From the start of the round to the end of its last operation. */
  readonly seconds: number;
  readonly perSecond: number;
  /** Operations that failed, by code. */
  readonly errors: ErrorCounts;
  /** Wrong answers, of those that were checked. */
  readonly wrong: number;
  /** Times from when operations were due, in milliseconds. Without a schedule the same as `service`. */
  readonly response: Percentiles;
  /** Times from the start of operations. */
  readonly service: Percentiles;
  /** How late operations started; null without a schedule. */
  readonly late: Percentiles | null;
  /** HDR histograms of nanoseconds (V2, compressed, base64). `service` and `late` are null without a schedule. */
  readonly histograms: {
    readonly response: string;
    readonly service: string | null;
    readonly late: string | null;
  };
  /** Microseconds of this process's processor for an operation, all threads. */
  readonly cpuMicros: number;
  /** The share of the time in which the event loop was busy, from 0 to 1. */
  readonly utilisation: number;
  /** The longest time in which the event loop heard of nothing. */
  readonly loopDelayMs: number;
  /** Milliseconds in the garbage collector. */
  readonly gcMs: number;
  /** The round ended more than 100 ms behind its schedule. */
  readonly saturated: boolean;
  /** The run was interrupted in this round. */
  readonly partial: boolean;
}

/** A median with the lowest and the highest. */
export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** All complete rounds together; the partial one if there is no other. */
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
  /** Why the figures are not to be trusted: wrong answers, also those of the warm-up. Empty for a good run. */
  readonly failures: readonly string[];
  /** What the reader must know: a limit of this process, a spread above 10 %, rounds behind their schedule. */
  readonly notes: readonly string[];
}

/** A figure of a target as a multiple of that of the first target, within each round. */
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
  /** For each target after the first; empty if no round is complete. */
  readonly ratios: readonly Ratios[];
}
