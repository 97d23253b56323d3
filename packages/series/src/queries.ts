/** Questions to a store and their results: the types of `query` and `select`, and of their rows (docs/series.md). */
import type { Duration } from "moonpack/bytes";
import type { Metric, MetricHandle } from "./metric/metric.js";

/** A metric, by its handle or by its name and tags. */
export type MetricRef = MetricHandle | Metric;

/** Values of points: floats, or int64 for metrics of that type. */
export type Values = Float64Array | BigInt64Array;

/** A point, as it is read. */
export interface Point {
  /** The time, in the store's unit. */
  readonly timestamp: number;
  /** A bigint for int64 metrics, otherwise a number. */
  readonly value: number | bigint;
}

/** Points in arrays. They are valid until the loop's next step. */
export interface PointBatch {
  /** Number of points. */
  readonly length: number;
  /** The times, in the store's unit. */
  readonly timestamps: Float64Array;
  /** The values: a BigInt64Array for int64 metrics. */
  readonly values: Values;
}

/** A result that can be read row by row, in batches, or as one array. Each of these starts a new read. */
export interface Rows<Row, Batch> extends AsyncIterable<Row> {
  /** Returns the rows in batches, as arrays of numbers. */
  batches(): AsyncIterable<Batch>;
  /** Returns all rows. */
  toArray(): Promise<Row[]>;
}

/** Points by ascending time, or descending with `reverse`. */
export type Points = Rows<Point, PointBatch>;

/** An aggregate of a window. Percentiles are `p` and a number from 0 to 100: `p50`, `p99.9`. */
export type Aggregate = "min" | "max" | "sum" | "avg" | "count" | "first" | "last" | "increase" | "rate" | `p${number}`;

/** The length of a window: a duration, or in a time zone also months and years. */
export type WindowLength = Duration | `${number}${"mo" | "y"}`;

/** The result for windows without points: see {@link Window.fill}. */
export type Fill = "none" | "null" | "previous" | "linear";

/** An aggregate of a window. Those that are values of points are bigints for int64 metrics. */
export type WindowValue<A extends Aggregate, F extends Fill> =
  | number
  | (A extends "min" | "max" | "first" | "last" ? bigint : never)
  | (A extends "increase" | "rate" ? null : F extends "none" ? never : null);

/**
 * A window: its start, in the store's unit, and its aggregates by name. They are null in windows without points, and `increase` and `rate`
 * also without an earlier value.
 */
export type WindowRow<A extends readonly Aggregate[] = readonly Aggregate[], F extends Fill = Fill> = {
  readonly start: number;
} & (number extends A["length"]
  ? { readonly [K in A[number]]?: WindowValue<K, F> }
  : { readonly [K in A[number]]: WindowValue<K, F> });

/** The values of an aggregate in arrays: a BigInt64Array for values of points of int64 metrics. */
export type WindowColumn<A extends Aggregate> = A extends "min" | "max" | "first" | "last" ? Values : Float64Array;

/** Windows in arrays. They are valid until the loop's next step. */
export interface WindowBatch<A extends readonly Aggregate[] = readonly Aggregate[]> {
  /** Number of windows. */
  readonly length: number;
  /** The start of each window, in the store's unit. */
  readonly starts: Float64Array;
  /** The aggregates. `min`, `max`, `first` and `last` of int64 metrics are a BigInt64Array. Instead of null, numbers are NaN and bigints 0. */
  readonly columns: number extends A["length"]
    ? { readonly [K in A[number]]?: Values }
    : { readonly [K in A[number]]: WindowColumn<K> };
  /** Bit i is 1 if window i has no values: no points, and no filled value. */
  readonly empty: Uint8Array;
  /** For each aggregate, bit i is 1 if it is null in window i. A NaN without this bit is a computed or a stored value. */
  readonly nulls: number extends A["length"]
    ? { readonly [K in A[number]]?: Uint8Array }
    : { readonly [K in A[number]]: Uint8Array };
}

/** Windows by ascending start, or descending with `reverse`. */
export type Windows<A extends readonly Aggregate[] = readonly Aggregate[], F extends Fill = Fill> = Rows<
  WindowRow<A, F>,
  WindowBatch<A>
>;

/**
 * A time in an argument: a number in the store's unit, a Date, or an ISO 8601 text such as `"2026-01-31T12:00:00Z"`. A text without a zone
 * is UTC, or in the `timeZone` of a query.
 */
export type Time = number | Date | string;

/** A range of time, `from` inclusive, `to` exclusive. */
export interface Range {
  /** The first time, inclusive. Default: the beginning. */
  readonly from?: Time;
  /** The last time, exclusive. Default: the end. */
  readonly to?: Time;
  /** Aborts the read with `ERR_ABORTED`. */
  readonly signal?: AbortSignal;
}

/**
 * How points are grouped into windows.
 *
 * @example
 * const daily: Window = { window: "1d", timeZone: "Europe/Berlin", aggregate: ["avg"], fill: "null" };
 */
export interface Window<A extends readonly Aggregate[] = readonly Aggregate[], F extends Fill = Fill> {
  /** The length of a window. `"1mo"` and `"1y"` need a time zone. */
  readonly window: WindowLength;
  /**
   * The time zone of windows, and of times as texts: a name such as `"Europe/Berlin"`. Days (`"1d"`), weeks from Monday, months and years
   * then follow the calendar, so a day may have 23 or 25 hours. Shorter windows follow the clocks. Default: windows have the same
   * length, and start at `origin`.
   */
  readonly timeZone?: string;
  /** A time at which a window starts. Default: 0; in a time zone the local start of 1970, or a Monday. */
  readonly origin?: Time;
  /** The aggregates of each window. */
  readonly aggregate: A;
  /**
   * Windows without points: omitted, null, the values of the previous window with points, or values on the line between the windows with
   * points around them. Null without such windows. More than 1,000,000 of a metric are `ERR_SERIES_LIMIT`. Default: `"none"`.
   */
  readonly fill?: F;
}

/**
 * Matches strings: equal to a string, one of several, a regular expression for the whole string, a prefix, or a negation. Regular
 * expressions take time linear in the text. So lookarounds, references to groups, flags of groups and sets of strings are
 * `ERR_INVALID_ARGUMENT`.
 */
export type Matcher = string | readonly string[] | RegExp | { readonly prefix: string } | { readonly not: Matcher };

/** Selects metrics by name and tags. A tag that a metric does not have counts as the empty string. */
export interface Match {
  /** Matches the name. Default: every name. */
  readonly name?: Matcher;
  /** Matches the values of tags. Default: any tags. */
  readonly tags?: Readonly<Record<string, Matcher>>;
  /** Matchers with the meaning of Prometheus, several for a tag if needed. A metric must meet all. Default: none. */
  readonly matchers?: readonly LabelMatcher[];
}

/**
 * A matcher of Prometheus. Regular expressions have the syntax of RE2, and take time linear in the text. They match the whole text, and a
 * dot matches a line break, too. A syntax error is `ERR_INVALID_ARGUMENT` when the read starts.
 *
 * @example
 * const ready: LabelMatcher[] = [{ name: "__name__", op: "=", value: "up" }, { name: "host", op: "=~", value: "a.*" }];
 */
export interface LabelMatcher {
  /** The key of a tag, or `__name__` for the name of the metric. */
  readonly name: string;
  /** Equal, not equal, matches, does not match. */
  readonly op: "=" | "!=" | "=~" | "!~";
  /** A text or a regular expression. A missing tag has the empty text. */
  readonly value: string;
}

/** The order and the number of rows of a metric. */
export interface RowChoice {
  /** Returns the newest row first. A read that ends early reads little of the rest. Default: false. */
  readonly reverse?: boolean;
  /** Maximum number of rows of a metric: points or windows. Default: all. */
  readonly limit?: number;
}

/** The points of one metric. */
export interface PointQuery extends Range, RowChoice {
  /** The metric whose points are read. */
  readonly metric: MetricRef;
}

/** The windows of one metric. */
export interface WindowQuery<A extends readonly Aggregate[] = readonly Aggregate[], F extends Fill = Fill>
  extends Range,
    RowChoice,
    Window<A, F> {
  /** The metric whose windows are read. */
  readonly metric: MetricRef;
}

/** The metrics of a selection: those that match, or a list. */
export interface MetricChoice extends Match {
  /** These metrics, in this order, instead of `name`, `tags` and `matchers`. Those that do not exist are left out. */
  readonly metrics?: Iterable<MetricRef>;
}

/** Selects the points, or the windows, of several metrics. */
export interface Selection extends MetricChoice, Range, RowChoice, Partial<Window> {}

/** Selects the windows of several metrics. */
export interface WindowSelection<A extends readonly Aggregate[] = readonly Aggregate[], F extends Fill = Fill>
  extends MetricChoice,
    Range,
    RowChoice,
    Window<A, F> {}

/** Selects the points of several metrics, for `blocks`. */
export interface BlockSelection extends MetricChoice, Range {}

/** A matching metric, and its points. */
export interface Selected<Result> {
  /** The metric. */
  readonly metric: MetricHandle;
  /** Its points or windows. */
  readonly points: Result;
}

/** Selected metrics, one after the other, or many in each batch. Each loop starts a new read. */
export interface Selections<Result, Batch> extends AsyncIterable<Selected<Result>> {
  /**
   * Reads many metrics at once: much faster for metrics with few points or windows. A batch has metrics of one type, by ascending id. It is
   * valid until the loop's next step.
   */
  batches(): AsyncIterable<Batch>;
}

/** The metrics of a batch. */
export interface BatchMetrics {
  /** A metric whose rows do not fit is also the first one of the next batch of its type. */
  readonly metrics: readonly MetricHandle[];
  /** Metric i has the rows from `offsets[i]` (inclusive) to `offsets[i + 1]` (exclusive). */
  readonly offsets: Uint32Array;
}

/** Points of several metrics in arrays. */
export type SelectedPoints = BatchMetrics & PointBatch;

/** Points of several metrics of any type in arrays, all as numbers. */
export interface SelectedBlock extends BatchMetrics {
  /** Number of points. */
  readonly length: number;
  /** The times, in the store's unit. */
  readonly timestamps: Float64Array;
  /** The values. An int64 beyond 2^53 is rounded to the nearest number. */
  readonly values: Float64Array;
}

/** Windows of several metrics in arrays. */
export type SelectedWindows<A extends readonly Aggregate[] = readonly Aggregate[]> = BatchMetrics & WindowBatch<A>;
