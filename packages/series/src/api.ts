/** What users of a store see: its options, calls and results (docs/series.md). Types only; `series.ts` is the class behind them. */
import type { Duration } from "moonpack/bytes";
import type { Driver } from "./drivers/driver.js";
import type { FilesDriver } from "./drivers/files.js";
import type { Metric, MetricHandle } from "./metric/metric.js";

export type { Duration } from "moonpack/bytes";

/** When a write is acknowledged: see {@link SeriesOptions.durability}. */
export type Durability = "sync" | "batch" | "none";

/** How a store is opened. Only `path` is needed, and only by drivers that have a folder. */
export interface SeriesOptions {
  /** The folder of the store. It is made when it does not exist. A relative path is resolved when the store is opened. */
  readonly path?: string;
  /** Default: `rocksdb()`. */
  readonly driver?: Driver | FilesDriver;
  /** The unit of all timestamps in calls. On disk they are milliseconds. Default: `"ms"`. */
  readonly unit?: "ms" | "s";
  /**
   * `"sync"`: a write resolves when it is on the medium. `"batch"`, the default: when the system has it; a killed process loses
   * nothing, a power cut at most the last `syncEvery`. `"none"`: at once; what is not sealed is lost with the process.
   */
  readonly durability?: Durability;
  /** `"batch"`: the log goes to the medium this often. Default: `"1s"`. */
  readonly syncEvery?: Duration;
  /**
   * Older points are hidden, refused, and deleted by whole weeks. No single reading of the clock deletes: a week must be beyond
   * retention for an hour, or when an earlier run ended. Default: none are.
   */
  readonly retention?: Duration;
  /** A minute is sealed this long after its end. Default: `"10s"`. */
  readonly grace?: Duration;
  /** An hour's minutes become one page when the hour is older than this. Default: `"2h"`. */
  readonly rollupAfter?: Duration | false;
  /** Points further ahead of the clock are refused. Default: `"1d"`. */
  readonly maxAhead?: Duration;
  /** Bytes of points in memory above which writes wait. Default: 256 MiB. */
  readonly maxHeadBytes?: number;
  /** Bytes of the log that are not yet written, above which writes wait. Default: 16 MiB. */
  readonly maxLogBytes?: number;
  /** Bytes of the driver's cache. Default: 64 MiB. */
  readonly maxCacheBytes?: number;
  /** Metrics that are kept in memory. Default: 1,000,000. */
  readonly maxCachedMetrics?: number;
  /** Nothing is written, not even by recovery. Default: false. */
  readonly readOnly?: boolean;
  /** Rewrites a store of an older version. Version 1 is the first. Default: false. */
  readonly migrate?: boolean;
  /** `"skip"` passes over damaged pages and log records, and tells `onWarning`. Default: `"throw"`. */
  readonly onCorrupt?: "throw" | "skip";
  /**
   * Is told what went on that no call could be told: skipped damage, rounds that failed and are tried again. What it throws stops nothing:
   * it becomes a warning of Node's.
   */
  readonly onWarning?: (warning: SeriesWarning) => void;
  /** The wall clock, in milliseconds. Default: `Date.now`. */
  readonly now?: () => number;
}

/** Something that went wrong in the background, or was passed over. */
export interface SeriesWarning {
  /** `"corrupt"`: damage was skipped. `"retry"`: a round or the log failed, and is tried again. */
  readonly kind: "corrupt" | "retry";
  readonly message: string;
  readonly cause?: unknown;
}

/** A metric, by its handle or by its name and tags. */
export type MetricRef = MetricHandle | Metric;

/** Values of points: floats, or int64 for metrics of that type. */
export type Values = Float64Array | BigInt64Array;

/** A point to write. */
export interface NewPoint {
  readonly metric: MetricRef;
  /** An integer from 0 up, in the store's unit. */
  readonly timestamp: number;
  /** For int64 metrics a bigint or a safe integer, else a number. */
  readonly value: number | bigint;
}

/** What became of written points. */
export interface WriteResult {
  /** Points that are in the store, late ones included. */
  readonly accepted: number;
  /** Points of minutes that were sealed already. */
  readonly late: number;
  /** Points beyond `retention` or `maxAhead`. */
  readonly refused: number;
  /** The index of the first point that was refused. */
  readonly firstRefused?: number;
}

/** Metrics that are written together: made by {@link Series.metricSet}. */
export interface MetricSet {
  readonly size: number;
  readonly type: "float" | "int64";
  readonly metrics: readonly MetricHandle[];
}

/** Options of {@link Series.writeScrape}. */
export interface ScrapeOptions {
  /** Values that are NaN are not written: their metrics have no point at this time. Default: false. */
  readonly skipNaN?: boolean;
}

/** A point that was read. */
export interface Point {
  readonly timestamp: number;
  readonly value: number | bigint;
}

/** Points in arrays. They are valid until the loop's next step. */
export interface PointBatch {
  readonly length: number;
  readonly timestamps: Float64Array;
  readonly values: Values;
}

/** A result that is read row by row, in batches, or whole. Each way reads from the start. */
export interface Rows<Row, Batch> extends AsyncIterable<Row> {
  batches(): AsyncIterable<Batch>;
  toArray(): Promise<Row[]>;
}

/** Points by ascending time, or descending with `reverse`. */
export type Points = Rows<Point, PointBatch>;

/** What is computed for each window. Percentiles are `p` and a number from 0 to 100: `p50`, `p99.9`. */
export type Aggregate = "min" | "max" | "sum" | "avg" | "count" | "first" | "last" | "increase" | "rate" | `p${number}`;

/** A window's start and its aggregates by their names; null where there is nothing to compute them of. */
export type WindowRow = { readonly start: number } & { readonly [A in Aggregate]?: number | bigint | null };

/** Windows in arrays. They are valid until the loop's next step. */
export interface WindowBatch {
  readonly length: number;
  readonly starts: Float64Array;
  /** `min`, `max`, `first` and `last` of int64 metrics are a BigInt64Array. Where rows have null, numbers are NaN, bigints 0. */
  readonly columns: Readonly<Partial<Record<Aggregate, Values>>>;
  /** Bit i is 1 where window i has no values: no points, and nothing filled in. */
  readonly empty: Uint8Array;
  /** For each aggregate, bit i is 1 where it is null in window i: a NaN without this bit was computed, or is a point's value. */
  readonly nulls: Readonly<Partial<Record<Aggregate, Uint8Array>>>;
}

/** Windows by ascending start. */
export type Windows = Rows<WindowRow, WindowBatch>;

/** A part of time, `from` inclusive, `to` exclusive. */
export interface Range {
  readonly from?: number;
  readonly to?: number;
  readonly signal?: AbortSignal;
}

/** How points are put into windows. */
export interface Window {
  readonly window: Duration;
  /** A time at which a window starts, in the store's unit. Default: 0. */
  readonly origin?: number;
  readonly aggregate: readonly Aggregate[];
  /** Windows without points: left out, null, or as the one before. Default: `"none"`. */
  readonly fill?: "none" | "null" | "previous";
}

/** Texts that match: equal, one of several, a regular expression for the whole text, a prefix, or the opposite. */
export type Matcher = string | readonly string[] | RegExp | { readonly prefix: string } | { readonly not: Matcher };

/** Metrics by their names and tags. A tag that a metric does not have is the empty text. */
export interface Match {
  readonly name?: Matcher;
  readonly tags?: Readonly<Record<string, Matcher>>;
}

/** The points of one metric. */
export interface PointQuery extends Range {
  readonly metric: MetricRef;
  /** From the newest point back. */
  readonly reverse?: boolean;
  readonly limit?: number;
}

/** The windows of one metric. */
export interface WindowQuery extends Range, Window {
  readonly metric: MetricRef;
}

/** The points, or the windows, of all metrics that match. */
export interface Selection extends Match, Range, Partial<Window> {
  /** Points of each metric. */
  readonly limit?: number;
}

/** A metric that matches, and its points. */
export interface Selected<Result> {
  readonly metric: MetricHandle;
  readonly points: Result;
}

/** What is deleted. Without times the metric itself is forgotten. */
export interface Deletion {
  readonly metric: MetricRef;
  readonly from?: number;
  readonly to?: number;
}

/** What recovery found in the log. */
export interface Recovery {
  readonly files: number;
  readonly records: number;
  readonly points: number;
  /** Bytes of an unfinished record at the end, which were cut off. */
  readonly tornBytes: number;
  /** Damaged bytes that `onCorrupt: "skip"` passed over. */
  readonly skippedBytes: number;
}

/** Figures of a store. */
export interface SeriesStats {
  /** Points that were accepted since the store was opened, and those of them that were late or refused. */
  readonly points: number;
  readonly late: number;
  readonly refused: number;
  /** Metrics that were ever registered, the forgotten ones included. */
  readonly metrics: number;
  readonly headPoints: number;
  readonly headBytes: number;
  /** Bytes of the log's files, and of what is not yet written to them. */
  readonly logBytes: number;
  readonly unwrittenBytes: number;
  /** About how many bytes the driver takes on disk. */
  readonly diskBytes: number;
  /** The start of the last minute that is sealed, in the store's unit; undefined before the first. */
  readonly sealedUntil?: number;
  readonly rounds: number;
  readonly pagesWritten: number;
  readonly hoursWritten: number;
  /** Damaged pages that were met. */
  readonly corrupt: number;
  readonly recovery: Recovery;
}

/** An open store. Timestamps are in its unit. */
export interface Series extends AsyncDisposable {
  /** Finds a metric, or registers it. Throws `ERR_SERIES_TYPE` when it is known with another type. */
  metric(metric: Metric): Promise<MetricHandle>;
  /** Writes points. An invalid one rejects the call before any is written. */
  write(points: Iterable<NewPoint>): Promise<WriteResult>;
  /** Prepares metrics, all of one type, for {@link writeScrape}. */
  metricSet(metrics: Iterable<MetricRef>): Promise<MetricSet>;
  /** Writes a value for each metric of a set, at one time: the fastest way. `values` may be used again when the call returns. */
  writeScrape(timestamp: number, set: MetricSet, values: Values, options?: ScrapeOptions): Promise<WriteResult>;
  /** Writes points of one metric. The arrays may be used again when the call returns. */
  writeColumn(metric: MetricRef, timestamps: Float64Array, values: Values): Promise<WriteResult>;

  query(query: WindowQuery): Windows;
  query(query: PointQuery): Points;
  /** Metrics that match, by ascending id, each with its points or windows. */
  select(selection: Match & Range & Window): AsyncIterable<Selected<Windows>>;
  select(selection: Selection): AsyncIterable<Selected<Points>>;
  /** The point with the greatest time. */
  last(metric: MetricRef): Promise<Point | undefined>;
  metrics(match?: Match): AsyncIterable<MetricHandle>;
  /** The values of a tag, sorted; those of metrics that match. */
  tagValues(key: string, match?: Match): Promise<string[]>;

  /** Deletes points written before the call; or forgets the metric. */
  delete(deletion: Deletion): Promise<void>;
  /** Seals all minutes, syncs and empties the log. */
  flush(): Promise<void>;
  /**
   * Rolls up what is due, deletes what was beyond retention when the last minute was sealed, and lets the driver drop dead data.
   */
  compact(): Promise<void>;
  stats(): Promise<SeriesStats>;
  /** Reads every page and index entry; returns what is damaged. */
  check(): Promise<readonly Damage[]>;
  /**
   * Writes a store to a new folder, as it is now. Writes go on, and nothing is sealed. When it fails, the folder is as it was before.
   * Throws `ERR_SERIES_STORE` for a folder that is not empty, `ERR_INVALID_ARGUMENT` for a driver without folders, and the codes of
   * opening a store.
   */
  backup(to: string): Promise<void>;
  /**
   * Seals all minutes up to now, and closes the store. Waits for a backup, a check and other changes that run; a compaction ends early.
   * Reads are not waited for: they end with `ERR_CLOSED` at their next step. So do calls after it.
   */
  close(): Promise<void>;
}

/** A damaged entry of a store. */
export interface Damage {
  readonly column: string;
  readonly key: Uint8Array;
  readonly message: string;
}
