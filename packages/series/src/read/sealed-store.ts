/**
 * The lower half of a store: what is not only in the log and in memory. There are two kinds: files of the package, and pages in a
 * key-value database.
 */
import type { Damage } from "../api.js";
import type { Soon } from "../blocks/block.js";
import type { Newest } from "../blocks/newest.js";
import type { Run } from "../blocks/run.js";
import type { IsOneWindow } from "../blocks/summary-cursor.js";
import type { Head } from "../head/head.js";
import type { LogFileSystem } from "../log/file-system.js";
import type { WriteAheadLog } from "../log/write-ahead-log.js";
import type { Settings } from "../options.js";
import type { RegisteredMetric } from "../registry/registered-metric.js";
import type { PendingMetric, Registry } from "../registry/registry.js";
import type { Deleted, Jobs } from "../seal/jobs.js";
import type { IndexSource } from "../select/index-source.js";
import type { BatchMemory } from "./batches.js";
import type { TimeRange } from "./plan.js";
import type { ReadTurns } from "./turns.js";

/** A read of one metric. The points of a call are valid until the next one. */
export interface PointScan {
  /** The next points, in the direction of the scan, each run by ascending time; undefined after the last. */
  next(): Run | undefined | Promise<Run | undefined>;
}

/** A read of points. */
export interface PointRequest extends TimeRange {
  readonly metric: RegisteredMetric;
  readonly reverse: boolean;
  readonly turns: ReadTurns;
  /** Set if summaries of points will do where it returns true. */
  readonly isOneWindow?: IsOneWindow | undefined;
}

/** The parts that jobs work with. */
export interface SealedParts {
  readonly settings: Settings;
  readonly log: WriteAheadLog;
  readonly head: Head;
  readonly registry: Registry;
  /** Where logs are. */
  readonly files: LogFileSystem;
}

/** See above. */
export interface SealedStore {
  readonly jobs: Jobs;
  scan(request: PointRequest, memory: BatchMemory): PointScan;
  /** Begins to read what scans of several metrics will need, as far as it is little; undefined if there is nothing to do. */
  prefetch?(
    metrics: readonly RegisteredMetric[],
    range: TimeRange,
    isOneWindow: IsOneWindow | undefined,
  ): Promise<void> | undefined;
  /** Called when a read begins: undefined, or a promise of the event loop's turn. */
  turn?(): Promise<void> | undefined;
  /** The point with the greatest time in a range, without a scan; undefined if that takes a scan, null without any point. */
  last?(metric: RegisteredMetric, range: TimeRange): Soon<Newest | null | undefined>;
  /** A delete was appended to the log, and the head has lost the points. */
  addDelete(deleted: Deleted): void;
  /** A metric is forgotten. */
  forget(metric: PendingMetric, file: number): void;
  /** About how many bytes it takes on disk. */
  size(): Promise<number>;
  /** Damaged parts that readers have met. */
  readonly corrupt: number;
  compact(): Promise<void>;
  check(): Promise<readonly Damage[]>;
  backup(to: string): Promise<void>;
  close(): Promise<void>;
}

/** A lower half that is open, before there is a log. */
export interface OpenedStore {
  /** Metrics by canonical form and by id, and the tag index: the columns `metrics` and `index`. */
  readonly names: IndexSource;
  /** The next metric id. */
  readonly nextId: number;
  /** The first file of the log that is still needed. */
  readonly firstLog: number;
  /** A delete that the log holds. */
  addDelete(deleted: Deleted): void;
  start(parts: SealedParts): SealedStore;
  close(): Promise<void>;
}
