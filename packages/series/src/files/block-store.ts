/** The lower half of a store of files: reads of blocks and the head. */
import type { Damage, SeriesWarning } from "../api.js";
import type { Soon } from "../blocks/block.js";
import { MetricScan } from "../blocks/metric-scan.js";
import { type Newest, newestPoint } from "../blocks/newest.js";
import type { IsOneWindow } from "../blocks/summary-cursor.js";
import { summaryScan } from "../blocks/summary-scan.js";
import { SeriesError } from "../errors.js";
import type { FolderLock } from "../file-system/store-file-system.js";
import { NameColumns } from "../names/name-columns.js";
import { Values64 } from "../page/values.js";
import type { BatchMemory } from "../read/batches.js";
import { EventLoopYield } from "../read/event-loop-yield.js";
import type { OpenedStore, PointRequest, PointScan, SealedParts, SealedStore } from "../read/sealed-store.js";
import type { TimeRange } from "../read/time-range.js";
import type { PendingMetric } from "../registry/metric-memory.js";
import type { RegisteredMetric } from "../registry/registered-metric.js";
import type { Deleted } from "../seal/jobs.js";
import type { IndexSource } from "../select/index-source.js";
import { backUpFiles } from "./backup-files.js";
import { Ballast } from "./ballast.js";
import { checkFiles } from "./check-files.js";
import { FileJobs } from "./file-jobs.js";
import type { FileStore } from "./file-store.js";
import { HeadCopies } from "./head-source.js";
import { prefetchMetrics } from "./prefetch.js";

/** The open files of a store, before the log is read. */
export class OpenedFiles implements OpenedStore {
  readonly names: IndexSource;
  readonly store: FileStore;
  readonly #lock: FolderLock | undefined;

  constructor(store: FileStore, lock: FolderLock | undefined) {
    this.store = store;
    this.#lock = lock;
    this.names = new NameColumns(() => store.view.names);
  }

  get nextId(): number {
    return this.store.manifest.nextId;
  }

  get firstLog(): number {
    return this.store.manifest.firstLog;
  }

  get logName(): string {
    return this.store.manifest.log;
  }

  async makeRoom(): Promise<void> {
    await new Ballast(this.store.fileSystem, this.store.path).free();
  }

  addDelete({ id, from, to }: Deleted): void {
    this.store.hide(id, from, to);
  }

  start(parts: SealedParts): SealedStore {
    return new BlockStore(parts, this.store, this.#lock);
  }

  async close(): Promise<void> {
    await this.store.close();
    await this.#lock?.release();
  }
}

/** The lower half of an open store of files. */
class BlockStore implements SealedStore {
  readonly jobs: FileJobs;
  readonly #parts: SealedParts;
  readonly #store: FileStore;
  readonly #lock: FolderLock | undefined;
  readonly #heads: HeadCopies;
  readonly #eventLoop = new EventLoopYield();
  corrupt = 0;

  constructor(parts: SealedParts, store: FileStore, lock: FolderLock | undefined) {
    this.#parts = parts;
    this.#store = store;
    this.#lock = lock;
    this.#heads = new HeadCopies(parts.head);
    this.jobs = new FileJobs(parts, store);
    store.syncLog = () => parts.log.sync();
  }

  scan({ metric, from, to, reverse, isOneWindow, numbersOnly }: PointRequest, memory: BatchMemory): PointScan {
    const { blocks, tombstones } = this.#store.view;
    const { id } = metric;
    const of = { id, isInt64: metric.type === "int64", from, to, reverse, isOneWindow, numbersOnly };
    const source = this.#heads.source(id, { from, to }, memory);
    if (isOneWindow !== undefined && source === undefined) {
      const summed = summaryScan(of, isOneWindow, blocks, tombstones);
      if (summed !== undefined) return summed;
    }
    memory.chunk ??= new Values64(512);
    return new MetricScan(of, { blocks, memory: source, tombstones, onDamage: this.#onDamage, values: memory.chunk });
  }

  readonly #onDamage = (error: unknown): void => {
    const { undecodable, onWarning } = this.#parts.settings;
    if (!(error instanceof SeriesError) || error.code !== "ERR_SERIES_CORRUPT") throw error;
    this.corrupt++;
    if (undecodable === "throw") throw error;
    const warning: SeriesWarning = { kind: "corrupt", message: error.message, cause: error };
    onWarning(warning);
  };

  prefetch(
    metrics: readonly RegisteredMetric[],
    range: TimeRange,
    isOneWindow: IsOneWindow | undefined,
  ): Promise<void> | undefined {
    const { maxCacheBytes } = this.#parts.settings;
    return prefetchMetrics(this.#store.view.blocks, metrics, { ...range, isOneWindow, maxCacheBytes });
  }

  beforeRead(): Promise<void> | undefined {
    return this.#eventLoop.beforeRead();
  }

  last(metric: RegisteredMetric, { from, to }: TimeRange): Soon<Newest | null | undefined> {
    const { newestFirst, tombstones } = this.#store.view;
    const { id } = metric;
    const source = this.#heads.source(id, { from, to }, { head: undefined });
    const of = { id, isInt64: metric.type === "int64", from, to };
    // The scan that follows skips damaged parts.
    const failed = (error: unknown) => this.#onDamage(error) as undefined;
    try {
      const newest = newestPoint(of, newestFirst, source, tombstones);
      return newest instanceof Promise ? newest.catch(failed) : newest;
    } catch (error) {
      return failed(error);
    }
  }

  addDelete({ id, from, to }: Deleted): void {
    this.#store.hide(id, from, to);
  }

  forget({ metric }: PendingMetric): void {
    this.#store.forget(metric.id);
  }

  async size(): Promise<number> {
    return this.#store.bytes;
  }

  async compact(): Promise<void> {
    await this.jobs.run(() => this.jobs.compactAll());
  }

  async check(): Promise<readonly Damage[]> {
    return await checkFiles(this.#store);
  }

  async backup(to: string): Promise<void> {
    await backUpFiles({ ...this.#parts, store: this.#store, jobs: this.jobs }, to);
  }

  async close(): Promise<void> {
    await this.#store.close();
    await this.#lock?.release();
  }
}
