/**
 * The interface of the lower half of a store, which keeps sealed points and metrics on disk. There are two kinds: files of this package, and
 * pages in a key-value database.
 */
import type { Damage } from "../api.js";
import type { Soon } from "../blocks/block.js";
import type { Newest } from "../blocks/newest.js";
import type { Run } from "../blocks/run.js";
import type { IsOneWindow } from "../blocks/summary-cursor.js";
import type { SeriesDriver } from "../drivers/driver.js";
import type { Head } from "../head/head.js";
import type { LogFileSystem } from "../log/file-system.js";
import type { WriteAheadLog } from "../log/write-ahead-log.js";
import type { Settings } from "../options.js";
import type { PendingMetric } from "../registry/metric-memory.js";
import type { RegisteredMetric } from "../registry/registered-metric.js";
import type { Registry } from "../registry/registry.js";
import type { Deleted, Jobs } from "../seal/jobs.js";
import type { NameSource } from "../select/name-source.js";
import type { SummaryNeed } from "../summarize/summary-need.js";
import type { BatchMemory } from "./batches.js";
import type { ReadScheduler } from "./read-scheduler.js";
import type { TimeRange } from "./time-range.js";

/** A read of one metric. A run is valid until the next call. */
export interface PointScan {
  /** Returns the next points in the direction of the scan. Each run is by ascending time. Undefined after the last one. */
  next(): Run | undefined | Promise<Run | undefined>;
}

/** The arguments of a scan. */
export interface PointRequest extends TimeRange {
  /** The metric whose points are read. */
  readonly metric: RegisteredMetric;
  /** True if the newest point comes first. */
  readonly reverse: boolean;
  /** Lets other reads run between parts of this one. */
  readonly scheduler: ReadScheduler;
  /** Returns true for a range whose points may be replaced by a summary. Undefined: points are always needed. */
  readonly isOneWindow?: IsOneWindow | undefined;
  /** True if only numbers are wanted: NaN may be left out. */
  readonly numbersOnly?: boolean;
  /**
   * Kept summaries may replace points. The range is then that of the query, also where it is beyond retention.
   *
   * @internal
   */
  readonly summarized?: Summarized | undefined;
}

/**
 * A read that kept summaries may answer.
 *
 * @internal
 */
export interface Summarized {
  readonly need: SummaryNeed;
  /** Points before this time are beyond retention. */
  readonly visible: number;
}

/** The parts of a store that its jobs need. */
export interface SealedParts {
  /** The options of the store. */
  readonly settings: Settings;
  /** The log of the store. */
  readonly log: WriteAheadLog;
  /** The points that are not sealed. */
  readonly head: Head;
  /** The metrics in memory. */
  readonly registry: Registry;
  /** The file system of the log. */
  readonly files: LogFileSystem;
}

/** The lower half of an open store. */
export interface SealedStore {
  /** The background jobs of the store. */
  readonly jobs: Jobs;
  /** Returns the sealed points of a metric. */
  scan(request: PointRequest, memory: BatchMemory): PointScan;
  /** Starts to read data for the scans of several metrics, if it is small. Returns undefined if there is nothing to read. */
  prefetch?(
    metrics: readonly RegisteredMetric[],
    range: TimeRange,
    isOneWindow: IsOneWindow | undefined,
  ): Promise<void> | undefined;
  /**
   * True if the store has kept summaries.
   *
   * @internal
   */
  readonly hasSummaries?: boolean;
  /**
   * Returns the start of the newest kept window of a range that a query may use; undefined without one.
   *
   * @internal
   */
  lastWindow?(metric: RegisteredMetric, range: TimeRange, need: SummaryNeed): Promise<number | undefined>;
  /**
   * Throws `ERR_INVALID_ARGUMENT` if a delete has a part of a window whose points are beyond retention. `visible`: points before this time are
   * beyond the retention of the metric.
   *
   * @internal
   */
  refuseDelete?(range: TimeRange, visible: number): void;
  /** Returns the newest point of a range without a scan: null without points, undefined if a scan is needed. */
  last?(metric: RegisteredMetric, range: TimeRange): Soon<Newest | null | undefined>;
  /** Adds a delete that is already in the log, and applied to the head. */
  addDelete(deleted: Deleted): void;
  /** Forgets a metric. `file` is the log file with the record. */
  forget(metric: PendingMetric, file: number): void;
  /** Returns the approximate size on disk in bytes. */
  size(): Promise<number>;
  /** Number of damaged parts that reads have found. */
  readonly corrupt: number;
  /** Does all due work, and frees space. */
  compact(): Promise<void>;
  /** Reads all data, and returns the damaged parts. */
  check(): Promise<readonly Damage[]>;
  /** Writes a snapshot to a folder. */
  backup(to: string): Promise<void>;
  /** Closes the store. */
  close(): Promise<void>;
}

/** The lower half of a store that is being opened, before the log is read. */
export interface OpenedStore {
  /** The metrics on disk, and the tag index. */
  readonly names: NameSource;
  /** The next metric id. */
  readonly nextId: number;
  /** The number of the first log file that is still needed. */
  readonly firstLog: number;
  /** The folder of the log, in the folder of the store. Default: `log`. */
  readonly logName?: string;
  /** Frees space that is kept for a full disk. */
  makeRoom?(): Promise<void>;
  /** Adds a delete from the log. */
  addDelete(deleted: Deleted): void;
  /** Returns the store. Called when the log has been read. */
  start(parts: SealedParts): SealedStore;
  /** Closes the store, if it was not started. */
  close(): Promise<void>;
}

/** The implementation of a {@link SeriesDriver}. */
export interface StoreDriver extends SeriesDriver {
  /** Opens the store, and creates it if it does not exist. Throws the errors of `openSeries`. */
  openStore(settings: Settings): Promise<OpenedStore>;
}
