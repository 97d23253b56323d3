/** The options of stores for queries, and of queries. */
import {
  countOption,
  type Duration,
  durationOption,
  invalidArgument,
  isoTime,
  ownOptions,
  refuseUnknown,
} from "moonpack/bytes";

/** The options of `createPrometheus`. */
export interface PrometheusOptions {
  /** The age at which a sample is not the value of a series any more. Default `"5m"`. */
  readonly lookback?: Duration;
  /** The longest time that a query may take, its time in the queue included. A query may ask for less. Default `"2m"`. */
  readonly timeout?: Duration;
  /** The step of subqueries without one, such as `[1h:]`. Default `"1m"`. */
  readonly subqueryStep?: Duration;
  /** The most samples that a query has in memory. Default 50,000,000. */
  readonly maxSamples?: number;
  /** The most series of a selector. Default 100,000. */
  readonly maxSeries?: number;
  /** The most steps of a range query. Default 11,001: both ends of 11,000 intervals, as in Prometheus. */
  readonly maxPoints?: number;
  /** The most queries that run at once; others wait. Default 4. */
  readonly maxConcurrent?: number;
  /** The most bytes of a body, as it is received. Default 10 MiB. */
  readonly maxBodyBytes?: number;
  /** The most bytes of a body after it is unpacked. Default 32 MiB. */
  readonly maxRawBytes?: number;
  /** The wall clock, in milliseconds. Default `Date.now`. */
  readonly now?: () => number;
}

const OPTIONS = [
  "lookback",
  "timeout",
  "subqueryStep",
  "maxSamples",
  "maxSeries",
  "maxPoints",
  "maxConcurrent",
  "maxBodyBytes",
  "maxRawBytes",
  "now",
] as const satisfies readonly (keyof PrometheusOptions)[];

/** The checked options. Durations are in milliseconds. */
export type PrometheusSettings = Readonly<
  Record<Exclude<keyof PrometheusOptions, "now">, number> & { now: () => number }
>;

/** Checks options. Throws `ERR_INVALID_ARGUMENT`. */
export function prometheusSettings(options: PrometheusOptions | undefined): PrometheusSettings {
  const given = ownOptions(options);
  refuseUnknown(given, OPTIONS);
  const { now = Date.now } = given;
  if (typeof now !== "function") throw invalidArgument("now must be a function");
  return {
    lookback: Math.ceil(durationOption("lookback", given.lookback, 300_000, 1, Number.MAX_SAFE_INTEGER)),
    timeout: durationOption("timeout", given.timeout, 120_000, 1),
    subqueryStep: Math.ceil(durationOption("subqueryStep", given.subqueryStep, 60_000, 1, Number.MAX_SAFE_INTEGER)),
    maxSamples: countOption("maxSamples", given.maxSamples, 50_000_000, 1, Infinity),
    maxSeries: countOption("maxSeries", given.maxSeries, 100_000, 1, Infinity),
    maxPoints: countOption("maxPoints", given.maxPoints, 11_001, 1, Infinity),
    maxConcurrent: countOption("maxConcurrent", given.maxConcurrent, 4, 1, Infinity),
    maxBodyBytes: countOption("maxBodyBytes", given.maxBodyBytes, 10 * 2 ** 20, 1, Infinity),
    maxRawBytes: countOption("maxRawBytes", given.maxRawBytes, 32 * 2 ** 20, 1, Infinity),
    now,
  };
}

/** A time: milliseconds since 1970, a Date, or an ISO 8601 text. */
export type QueryTime = number | Date | string;

/** The options that all questions have. */
export interface ReadOptions {
  /** The longest time that the answer may take. Default, and at most, the `timeout` of `createPrometheus`. */
  readonly timeout?: Duration;
  /** The most series or texts of the answer. A query says in `warnings` that it left some out. Default: all. */
  readonly limit?: number;
  /** Ends the call with `ERR_ABORTED`. */
  readonly signal?: AbortSignal;
}

/** The options of `query`. */
export interface QueryOptions extends ReadOptions {
  /** The time of the query. Default: now. */
  readonly time?: QueryTime;
  /** The age at which a sample is not the value of a series any more. Default: that of `createPrometheus`. */
  readonly lookback?: Duration;
}

/** The options of `queryRange`. */
export interface RangeOptions extends ReadOptions {
  /** The first step. */
  readonly start: QueryTime;
  /** The time up to which steps are. Default: now. */
  readonly end?: QueryTime;
  /** The distance of steps. */
  readonly step: Duration;
  /** The age at which a sample is not the value of a series any more. Default: that of `createPrometheus`. */
  readonly lookback?: Duration;
}

/** The options of `labelNames`, `labelValues` and `findSeries`. */
export interface FindOptions extends ReadOptions {
  /** Only of series that meet one of these selectors, such as `up{job="api"}`. */
  readonly match?: string | readonly string[];
  /** Only of series with points from this time on. */
  readonly start?: QueryTime;
  /** Only of series with points up to this time. */
  readonly end?: QueryTime;
}

const READ = ["timeout", "limit", "signal"];

/** The checked options that all questions have. */
export interface ReadSettings {
  readonly timeout: number;
  readonly limit: number;
  readonly signal: AbortSignal | undefined;
}

/** Copies the options of a question. Throws `ERR_INVALID_ARGUMENT` for unknown ones. */
export function readSettings<T extends ReadOptions>(
  options: T | undefined,
  others: readonly (keyof T & string)[],
  { timeout: longest }: PrometheusSettings,
): { readonly given: T; readonly read: ReadSettings } {
  const given = ownOptions(options);
  refuseUnknown(given, [...READ, ...others]);
  const { signal } = given;
  if (signal !== undefined && typeof signal?.addEventListener !== "function")
    throw invalidArgument("signal must be an AbortSignal");
  const timeout = Math.min(longest, durationOption("timeout", given.timeout, longest, 0));
  // Prometheus reads 0 as no limit.
  const limit = countOption("limit", given.limit, 0, 0, Infinity) || Infinity;
  return { given, read: { timeout, limit, signal } };
}

/** Returns the milliseconds of a time. Throws `ERR_INVALID_ARGUMENT`. */
export function timeOption(name: string, time: QueryTime | undefined, fallback: number | undefined): number {
  const given = time === undefined ? fallback : time;
  const ms = typeof given === "string" ? isoTime(given) : given instanceof Date ? given.getTime() : given;
  if (typeof ms === "number" && Number.isFinite(ms)) return Math.floor(ms);
  throw invalidArgument(`${name} must be a time: milliseconds since 1970, a Date, or an ISO 8601 text`);
}

/** Returns the milliseconds of the duration of a query, or undefined. Throws `ERR_INVALID_ARGUMENT`. */
export function lookbackOption(lookback: Duration | undefined): number | undefined {
  if (lookback === undefined) return undefined;
  return Math.ceil(durationOption("lookback", lookback, 0, 1, Number.MAX_SAFE_INTEGER));
}
