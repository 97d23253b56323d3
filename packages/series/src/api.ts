/** The public interface of a store: its options, calls and results (docs/series.md). Types only; the class is in `series.ts`. */
import type { Duration } from "moonpack/bytes";
import type { SeriesDriver } from "./drivers/driver.js";
import type { FilesDriver } from "./drivers/files.js";
import type { Metric, MetricHandle } from "./metric/metric.js";
import type {
  Aggregate,
  BlockSelection,
  Fill,
  Match,
  MetricRef,
  Point,
  PointQuery,
  Points,
  SelectedBlock,
  SelectedPoints,
  SelectedWindows,
  Selection,
  Selections,
  Time,
  Values,
  WindowQuery,
  WindowSelection,
  Windows,
} from "./queries.js";
import type { WatchedBatch, Watching } from "./watching.js";

export type { Duration } from "moonpack/bytes";
export type * from "./queries.js";
export type * from "./watching.js";

/** When a write is acknowledged: see {@link SeriesOptions.durability}. */
export type Durability = "sync" | "batch" | "none";

/** Options of `openSeries`. Only `path` is required, and only for drivers with a folder. */
export interface SeriesOptions {
  /** The folder of the store. It is created if it does not exist. A relative path is resolved when the store is opened. */
  readonly path?: string;
  /** Where sealed points are. Default: `files()`, with which the store manages files in `path`. */
  readonly driver?: FilesDriver | SeriesDriver;
  /** The unit of all timestamps in calls. On disk they are milliseconds. Default: `"ms"`. */
  readonly unit?: "ms" | "s";
  /**
   * When a write resolves. `"sync"`: when it is on disk. `"batch"`, the default: when the operating system has it; a killed process
   * loses nothing, a power cut loses at most the last `syncEvery`. `"none"`: at once; points that are not sealed are lost with the
   * process.
   */
  readonly durability?: Durability;
  /** With `"batch"`: how often the log is synced to disk. Default: `"1s"`. */
  readonly syncEvery?: Duration;
  /**
   * Older points are hidden and refused, and deleted in whole weeks. A single wrong reading of the clock deletes nothing: a week must
   * be beyond retention for an hour, or already at the end of an earlier run. Rules keep some metrics shorter or longer. Default: points
   * are kept for ever.
   */
  readonly retention?: Duration | Retention;
  /**
   * The windows to keep, longer than points. Queries are answered from them where the result is the same. At most 8. Default: the windows
   * that the store has kept so far.
   */
  readonly summarize?: readonly KeptSummary[];
  /** A minute is sealed this long after its end. Default: `"10s"`. */
  readonly grace?: Duration;
  /** The minute pages of an hour are merged into one page when the hour is older than this. Default: `"2h"`. */
  readonly rollupAfter?: Duration | false;
  /** Points further ahead of the clock are refused. Default: `"1d"`. */
  readonly maxAhead?: Duration;
  /** Writes wait while unsealed points and new metrics in memory take more bytes than this. Default: 256 MiB. */
  readonly maxHeadBytes?: number;
  /** Writes wait while the unwritten log takes more bytes than this. Default: 16 MiB. */
  readonly maxLogBytes?: number;
  /** Bytes of the driver's cache. Default: 64 MiB. */
  readonly maxCacheBytes?: number;
  /** Maximum number of metrics in memory; those with more than 256 bytes of name and tags count as several. Default: 1,000,000. */
  readonly maxCachedMetrics?: number;
  /** With `files()`: background merging of blocks writes at most this fast, unless a round waits for it. Default: 32 MiB. */
  readonly compactBytesPerSecond?: number;
  /** Opens the store without writing, not even for recovery. Default: false. */
  readonly readOnly?: boolean;
  /** Rewrites a store of an older version. Version 1 is the first. Default: false. */
  readonly migrate?: boolean;
  /** Handling of damaged pages and log records. `"skip"` skips them and calls `onWarning`. Default: `"throw"`. */
  readonly undecodable?: "throw" | "skip";
  /**
   * Called for background failures: skipped damage, and rounds that failed and are tried again. Its exceptions are caught and become
   * Node process warnings.
   */
  readonly onWarning?: (warning: SeriesWarning) => void;
  /** The wall clock, in milliseconds. Default: `Date.now`. */
  readonly now?: () => number;
}

/**
 * The retention of metrics.
 *
 * @example
 * const debug = { matchers: [{ name: "__name__", op: "=~", value: "debug\\..*" }], keep: "1d" } as const;
 * await openSeries({ path: "./metrics", retention: { default: "30d", rules: [debug, { name: "billing", keep: "forever" }] } });
 */
export interface Retention {
  /** For metrics that no rule matches. Default: `"forever"`. */
  readonly default?: Duration | "forever";
  /** At most 250. The first one that matches a metric counts. */
  readonly rules: readonly RetentionRule[];
}

/** A rule of {@link Retention}: the metrics, and how long they are kept. */
export interface RetentionRule extends Match {
  /** Older points of the metrics are hidden and refused, and deleted when blocks are merged. */
  readonly keep: Duration | "forever";
}

/** An aggregate that {@link KeptSummary} can have. */
export type KeptAggregate = "min" | "max" | "sum" | "avg" | "count" | "first" | "last";

/**
 * Windows of one length that a store keeps for all metrics.
 *
 * @example
 * const kept: KeptSummary = { window: "5m", aggregate: ["avg", "max"], keep: "1y" };
 * await openSeries({ path: "./metrics", retention: "30d", summarize: [kept] });
 */
export interface KeptSummary {
  /** The length of a window: whole milliseconds, from 1 second to 366 days. Windows start at multiples of it since 1970, UTC. */
  readonly window: Duration;
  /** The aggregates of each window. A sum and an average include the other one and the count. */
  readonly aggregate: readonly KeptAggregate[];
  /** Older windows are hidden, and deleted with their blocks. A year is 365 days. */
  readonly keep: Duration | `${number}y` | "forever";
}

/** A background failure, or skipped damage. */
export interface SeriesWarning {
  /** `"corrupt"`: damage was skipped. `"retry"`: a round or the log failed, and will be tried again. */
  readonly kind: "corrupt" | "retry";
  /** The text of the warning. */
  readonly message: string;
  /** The error that caused it. */
  readonly cause?: unknown;
}

/** A point to write. Other properties of a point that has these three are not read. */
export interface NewPoint {
  /** The metric: a handle, or a name and tags. */
  readonly metric: MetricRef;
  /** An integer from 0 up, in the store's unit. */
  readonly timestamp: number;
  /** A bigint or a safe integer for int64 metrics, otherwise a number. */
  readonly value: number | bigint;
}

/** The result of a write. */
export interface WriteResult {
  /** Points in the store, including late ones. */
  readonly accepted: number;
  /** Points of minutes that were already sealed. */
  readonly late: number;
  /** Points beyond `retention` or `maxAhead`. */
  readonly refused: number;
  /** The index of the first refused point. */
  readonly firstRefused?: number;
}

/** Metrics that are written together: the result of {@link Series.metricSet}. */
export interface MetricSet {
  /** Number of metrics. */
  readonly size: number;
  /** The type of all metrics. */
  readonly type: "float" | "int64";
  /** The metrics, in the order of the values of a scrape. */
  readonly metrics: readonly MetricHandle[];
}

/** Options of {@link Series.writeScrape}. */
export interface ScrapeOptions {
  /** Skips NaN values: their metrics get no point at this time. Default: false. */
  readonly skipNaN?: boolean;
}

/** The points to delete. Without `from` and `to` the metric itself is forgotten. */
export interface Deletion {
  /** The metric whose points are deleted. */
  readonly metric: MetricRef;
  /** The first time, inclusive. Default: the beginning. */
  readonly from?: Time;
  /** The last time, exclusive. Default: the end. */
  readonly to?: Time;
}

/** The result of reading the log when the store was opened. */
export interface Recovery {
  /** Number of files of the log that were read. */
  readonly files: number;
  /** Number of records that were read. */
  readonly records: number;
  /** Number of points in these records. */
  readonly points: number;
  /** Bytes of an unfinished record at the end, which were removed. */
  readonly tornBytes: number;
  /** Damaged bytes that `undecodable: "skip"` skipped. */
  readonly skippedBytes: number;
}

/** Statistics of a store. */
export interface SeriesStats {
  /** Accepted points since the store was opened, including late ones. */
  readonly points: number;
  /** Late points since the store was opened. */
  readonly late: number;
  /** Refused points since the store was opened. */
  readonly refused: number;
  /** Number of metrics that were ever registered, including forgotten ones. */
  readonly metrics: number;
  /** Points in memory that are not sealed yet. */
  readonly headPoints: number;
  /** Bytes of memory for these points. */
  readonly headBytes: number;
  /** Bytes of the log, including unwritten bytes. */
  readonly logBytes: number;
  /** Bytes of the log that are not yet written to a file. */
  readonly unwrittenBytes: number;
  /** Approximate size of the database on disk, in bytes. */
  readonly diskBytes: number;
  /** The start of the last sealed minute, in the store's unit; undefined before the first. */
  readonly sealedUntil?: number;
  /** Rounds of sealing since the store was opened. */
  readonly rounds: number;
  /** Blocks that were written since the store was opened; with a database, pages of minutes. */
  readonly pagesWritten: number;
  /** Merges of blocks since the store was opened; with a database, pages of hours that were written. */
  readonly hoursWritten: number;
  /** Number of damaged pages found. */
  readonly corrupt: number;
  /** The result of reading the log when the store was opened. */
  readonly recovery: Recovery;
}

/** An open store. Timestamps are in its unit. */
export interface Series extends AsyncDisposable {
  /** The unit of all timestamps in calls: the option `unit`. */
  readonly unit: "ms" | "s";
  /** True if the store is open for reading only: calls that write throw `ERR_SERIES_READ_ONLY`. */
  readonly readOnly: boolean;

  /** Finds a metric, or registers it. Throws `ERR_SERIES_TYPE` if it is registered with another type. */
  metric(metric: Metric): Promise<MetricHandle>;
  /** Writes points. An invalid point rejects the call before any point is written. */
  write(points: Iterable<NewPoint>): Promise<WriteResult>;
  /** Prepares metrics, all of one type, for {@link writeScrape}. */
  metricSet(metrics: Iterable<MetricRef>): Promise<MetricSet>;
  /** Writes one value for each metric of a set, at one time: the fastest way. `values` may be reused when the call returns. */
  writeScrape(timestamp: number, set: MetricSet, values: Values, options?: ScrapeOptions): Promise<WriteResult>;
  /** Writes points of one metric. The arrays may be reused when the call returns. */
  writeColumn(metric: MetricRef, timestamps: Float64Array, values: Values): Promise<WriteResult>;

  /** Returns the windows of a metric. */
  query<const A extends readonly Aggregate[], F extends Fill = "none">(query: WindowQuery<A, F>): Windows<A, F>;
  /** Returns the points of a metric. */
  query(query: PointQuery): Points;
  /** Returns the matching metrics, by ascending id, each with its windows. */
  select<const A extends readonly Aggregate[], F extends Fill = "none">(
    selection: WindowSelection<A, F>,
  ): Selections<Windows<A, F>, SelectedWindows<A>>;
  /** Returns the matching metrics, by ascending id, each with its points. */
  select(selection: Selection): Selections<Points, SelectedPoints>;
  /**
   * Returns the points of the matching metrics, by ascending id, in arrays: for engines that evaluate queries. Metrics of both types share
   * a batch, and int64 values are rounded to numbers. A batch has at most 16,384 points and 4,096 metrics, and is valid until the loop's
   * next step; a metric without points is in a batch, too. Each loop starts a new read, which yields to the event loop every 4 ms and looks
   * at `signal` then. Throws `ERR_INVALID_ARGUMENT`, the loop `ERR_ABORTED` and `ERR_CLOSED`.
   *
   * @example
   * const up = series.blocks({ matchers: [{ name: "__name__", op: "=", value: "up" }], from: Date.now() - 300_000 });
   * for await (const { metrics, offsets, timestamps, values } of up) console.log(metrics.length, values.length);
   */
  blocks(selection: BlockSelection): AsyncIterable<SelectedBlock>;
  /**
   * Returns points as they are written, once their writes have the store's durability: for dashboards and alerts. Only this process can
   * watch: with `readOnly` it is `ERR_SERIES_READ_ONLY`. Each loop starts when its first step is requested. It waits for points until it is
   * left, its `signal` aborts (`ERR_ABORTED`), or the store is closed, which ends it normally. Writes never wait for a loop: a slow one
   * loses its oldest points, and each batch has their number. Throws `ERR_INVALID_ARGUMENT`, `ERR_INVALID_METRIC`, `ERR_CLOSED`; the loop
   * `ERR_SERIES_TYPE` for a listed metric of another type.
   *
   * @example
   * for await (const { points, dropped } of series.watch({ name: "cpu.load" }))
   *   for (const { metric, value } of points) if (value > 0.9) console.log(metric.tags.host, value, dropped);
   */
  watch(watching?: Watching): AsyncIterable<WatchedBatch>;
  /** Returns the point with the greatest time. */
  last(metric: MetricRef): Promise<Point | undefined>;
  /** Returns the handles of all metrics, or of matching ones. */
  metrics(match?: Match): AsyncIterable<MetricHandle>;
  /** Returns the sorted values of a tag, of all metrics or of matching ones; for `__name__`, their names. */
  tagValues(key: string, match?: Match): Promise<string[]>;

  /** Deletes points written before the call, or forgets the metric. */
  delete(deletion: Deletion): Promise<void>;
  /** Seals all minutes, syncs and empties the log. */
  flush(): Promise<void>;
  /**
   * Rolls up old hours, deletes weeks that were beyond retention when the last minute was sealed, and lets the driver free the space of
   * deleted data.
   */
  compact(): Promise<void>;
  /**
   * Deletes points that are beyond retention now: all blocks, or with a database all weeks, in which every point is. The clock is trusted:
   * use it if the clock is certain to be right, and the space is needed. With rules, `files()` also write blocks again without the points
   * that are beyond their metrics' retention. Throws `ERR_INVALID_ARGUMENT` without the option `retention`.
   */
  dropOld(): Promise<void>;
  /** Returns statistics of the store. */
  stats(): Promise<SeriesStats>;
  /** Reads every page and index entry. Returns the damaged ones. */
  check(): Promise<readonly Damage[]>;
  /**
   * Writes a snapshot of the store to a new folder. Other writes continue, and no minute is sealed. If it fails, the folder is removed
   * or emptied. With `files()` the folder may have an earlier backup of the store: only new files are linked or copied, and the earlier
   * backup stays until the new one is complete. Throws `ERR_SERIES_STORE` for a folder with anything else, `ERR_INVALID_ARGUMENT` for a
   * driver without folders, and the errors of `openSeries`.
   */
  backup(to: string): Promise<void>;
  /**
   * Seals all minutes up to now, and closes the store. Waits for a running backup, a check and other changes; a compaction ends early.
   * Does not wait for reads: they fail with `ERR_CLOSED` at their next step. Later calls fail with `ERR_CLOSED`, too.
   */
  close(): Promise<void>;
}

/** A damaged entry of a store. */
export interface Damage {
  /** The column of the database, or the folder of the files. */
  readonly column: string;
  /** The key of the damaged entry. */
  readonly key: Uint8Array;
  /** The text of the error. */
  readonly message: string;
}
