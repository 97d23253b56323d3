/** The options of queries. */
import { countOption, invalidArgument, ownOptions, refuseUnknown } from "moonpack/bytes";
import type { QueryTimes } from "../plan/durations.js";
import type { QueryLimits } from "./budget.js";
import type { SeriesSource } from "./source.js";

/** The options of `evaluate`. Times and durations are in milliseconds. */
export interface EvaluateOptions {
  /** The text of the query, for the places in warnings. */
  readonly query: string;
  /** The time of an instant query, or the first time of a range query. */
  readonly start: number;
  /** The last time of a range query. Default `start`. */
  readonly end?: number;
  /** The step of a range query. Without one, the query is an instant query. */
  readonly step?: number;
  /** The data. */
  readonly source: SeriesSource;
  /** The age at which a sample is not the value of a series any more. Default 300,000. */
  readonly lookback?: number;
  /** The step of subqueries without one. Default 60,000. */
  readonly subqueryStep?: number;
  /** The longest time that the query may take. Default 120,000. */
  readonly timeout?: number;
  /** Ends the query with `ERR_ABORTED`. */
  readonly signal?: AbortSignal;
  /** Bounds on the memory and the size of the result. */
  readonly limits?: QueryLimits;
}

const OPTIONS = ["query", "start", "end", "step", "source", "lookback", "subqueryStep", "timeout", "signal", "limits"];
const LIMITS = ["maxSamples", "maxSeries", "maxPoints"];

/** The checked options of a query. */
export interface Settings {
  readonly query: string;
  readonly source: SeriesSource;
  readonly signal: AbortSignal | undefined;
  readonly times: QueryTimes;
  readonly lookback: number;
  readonly subqueryStep: number;
  readonly timeout: number;
  readonly limits: Required<QueryLimits>;
}

/** Checks options. Throws `ERR_INVALID_ARGUMENT`. */
export function settingsOf(options: EvaluateOptions): Settings {
  const held = ownOptions(options);
  refuseUnknown(held, OPTIONS);
  const { query, source, signal } = held;
  if (typeof query !== "string") throw invalidArgument("query must be a string");
  if (typeof source?.select !== "function") throw invalidArgument("source must have a method select");
  if (signal !== undefined && typeof signal?.addEventListener !== "function")
    throw invalidArgument("signal must be an AbortSignal");
  return {
    query,
    source,
    signal,
    times: timesOf(held),
    lookback: countOption("lookback", held.lookback, 300_000, 1, Number.MAX_SAFE_INTEGER),
    subqueryStep: countOption("subqueryStep", held.subqueryStep, 60_000, 1, Number.MAX_SAFE_INTEGER),
    timeout: countOption("timeout", held.timeout, 120_000, 0, Number.MAX_SAFE_INTEGER),
    limits: limitsOf(held.limits),
  };
}

function limitsOf(given: QueryLimits | undefined): Required<QueryLimits> {
  const limits = ownOptions(given, "limits");
  refuseUnknown(limits, LIMITS, "limit");
  return {
    maxSamples: countOption("maxSamples", limits.maxSamples, 50_000_000, 1, Infinity),
    maxSeries: countOption("maxSeries", limits.maxSeries, 100_000, 1, Infinity),
    maxPoints: countOption("maxPoints", limits.maxPoints, 11_001, 1, Infinity),
  };
}

function timesOf({ start, end = start, step = 0 }: EvaluateOptions): QueryTimes {
  for (const [name, time] of Object.entries({ start, end, step }))
    if (!Number.isSafeInteger(time)) throw invalidArgument(`${name} must be a whole number of milliseconds`);
  if (step < 0) throw invalidArgument("step must not be negative");
  if (end < start) throw invalidArgument("end must not be before start");
  if (step === 0 && end !== start) throw invalidArgument("a range query needs a step");
  return { start, end, step };
}
