/** The lower half of a store of files: reads of blocks and the head. */

import { invalidArgument } from "moonpack/bytes";
import type { Damage, SeriesWarning } from "../api.js";
import type { Soon } from "../blocks/block.js";
import { type MemorySource, MetricScan, type ScanOf } from "../blocks/metric-scan.js";
import { type Newest, newestPoint } from "../blocks/newest.js";
import type { IsOneWindow } from "../blocks/summary-cursor.js";
import { summaryScan } from "../blocks/summary-scan.js";
import { SeriesError } from "../errors.js";
import type { FolderLock } from "../file-system/store-file-system.js";
import { CurrentNames } from "../names/current-names.js";
import { Values64 } from "../page/values.js";
import type { BatchMemory } from "../read/batches.js";
import type { OpenedStore, PointRequest, PointScan, SealedParts, SealedStore } from "../read/sealed-store.js";
import type { TimeRange } from "../read/time-range.js";
import type { PendingMetric } from "../registry/metric-memory.js";
import type { RegisteredMetric } from "../registry/registered-metric.js";
import type { Deleted } from "../seal/jobs.js";
import type { NameSource } from "../select/name-source.js";
import { floorTo } from "../summarize/record.js";
import { COUNT, END_OF_SUMMARISED, isExactRole, roleId, rolesIn } from "../summarize/roles.js";
import type { SummaryNeed } from "../summarize/summary-need.js";
import { backUpFiles } from "./backup-files.js";
import { Ballast } from "./ballast.js";
import { checkFiles } from "./check-files.js";
import { FileJobs } from "./file-jobs.js";
import type { FileStore, FilesView } from "./file-store.js";
import { HeadCopies } from "./head-source.js";
import { prefetchMetrics } from "./prefetch.js";
import { RoleMemory } from "./role-scan.js";
import { SummaryWindowScan } from "./summary-scan.js";

const NO_TIMES = /* @__PURE__ */ new Float64Array(0);

/** The open files of a store, before the log is read. */
export class OpenedFiles implements OpenedStore {
  readonly names: NameSource;
  readonly store: FileStore;
  readonly #lock: FolderLock | undefined;

  constructor(store: FileStore, lock: FolderLock | undefined) {
    this.store = store;
    this.#lock = lock;
    this.names = new CurrentNames(() => store.view.names);
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
    return new BlockStore(parts, this);
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
  readonly #opened: OpenedFiles;
  readonly #store: FileStore;
  readonly #heads: HeadCopies;
  corrupt = 0;

  constructor(parts: SealedParts, opened: OpenedFiles) {
    const { store } = opened;
    this.#parts = parts;
    this.#opened = opened;
    this.#store = store;
    this.#heads = new HeadCopies(parts.head);
    this.jobs = new FileJobs(parts, store);
    store.syncLog = () => parts.log.sync();
  }

  get hasSummaries(): boolean {
    return this.#store.manifest.summaries.length > 0;
  }

  scan(request: PointRequest, memory: BatchMemory): PointScan {
    const { metric, from, to, reverse, isOneWindow, numbersOnly, summarized, scheduler } = request;
    const { view } = this.#store;
    const { id } = metric;
    const isInt64 = metric.type === "int64";
    const source = this.#heads.source(id, { from, to }, memory);
    const of = { id, isInt64, from, to, reverse, isOneWindow, numbersOnly };
    if (summarized === undefined) return this.#points(view, of, source, memory);
    const { need, visible } = summarized;
    // All parts of the scan use this view and this copy of the head: a round may seal points meanwhile.
    const points = (range: TimeRange, isOne?: IsOneWindow) =>
      this.#points(view, { ...of, ...range, isOneWindow: isOne }, source, memory);
    const layers = id < END_OF_SUMMARISED ? need.layersOf(view.summaries) : [];
    if (layers.length === 0 || isOneWindow === undefined) {
      const start = Math.max(from, visible);
      return points({ from: start, to }, isOneWindow && ((first, last) => first >= start && isOneWindow(first, last)));
    }
    const roles = memory.ofStore instanceof RoleMemory ? memory.ofStore : new RoleMemory();
    memory.ofStore = roles;
    const now = this.#parts.settings.now();
    return new SummaryWindowScan(
      { id, isInt64, from, to, need, isOneWindow, visible, now },
      { layers, head: source?.times ?? NO_TIMES, memory: roles, onDamage: this.#onDamage, scheduler, points },
    );
  }

  #points(
    { blocks, tombstones }: FilesView,
    of: ScanOf,
    source: MemorySource | undefined,
    memory: BatchMemory,
  ): PointScan {
    const { from, to } = of;
    const inRange = source !== undefined && source.from < to && source.to >= from ? source : undefined;
    if (of.isOneWindow !== undefined && inRange === undefined) {
      const summed = summaryScan(of, of.isOneWindow, blocks, tombstones);
      if (summed !== undefined) return summed;
    }
    memory.chunk ??= new Values64(512);
    return new MetricScan(of, { blocks, memory: inRange, tombstones, onDamage: this.#onDamage, values: memory.chunk });
  }

  async lastWindow(metric: RegisteredMetric, { from, to }: TimeRange, need: SummaryNeed): Promise<number | undefined> {
    const now = this.#parts.settings.now();
    const id = roleId(metric.id, COUNT);
    let newest: number | undefined;
    for (const windows of need.layersOf(this.#store.view.summaries)) {
      const { blocks, masks } = windows;
      const of = { id, isInt64: false, from: Math.max(from, windows.first(now)), to, reverse: true };
      const sources = { blocks, memory: undefined, tombstones: masks, onDamage: this.#onDamage };
      const run = await new MetricScan(of, sources).next();
      if (run !== undefined) newest = Math.max(newest ?? 0, run.times[run.to - 1]!);
    }
    return newest;
  }

  refuseDelete({ from, to }: TimeRange, visible: number): void {
    const { summaries, manifest } = this.#store.view;
    const gone = Math.max(visible, manifest.dropped);
    for (const windows of summaries) {
      const { window, record } = windows;
      for (const edge of [from, to]) {
        const start = floorTo(window, edge);
        const isKept = start >= windows.first(this.#parts.settings.now()) && start < record.until;
        if (start === edge || start >= gone || !isKept) continue;
        throw invalidArgument(
          `${new Date(edge).toISOString()} is within a window whose points are beyond retention, and a part of a window cannot be deleted: use ${new Date(start).toISOString()} or ${new Date(start + window).toISOString()}`,
        );
      }
    }
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
    range: TimeRange & { readonly need?: SummaryNeed | undefined },
    isOneWindow: IsOneWindow | undefined,
  ): Promise<void> | undefined {
    const { maxCacheBytes } = this.#parts.settings;
    const { need } = range;
    const { blocks, summaries } = this.#store.view;
    const [layer] = need?.layersOf(summaries) ?? [];
    if (need === undefined || layer === undefined)
      return prefetchMetrics(blocks, metrics, { ...range, isOneWindow, maxCacheBytes });
    const roles = metrics.flatMap(({ id, type }) =>
      rolesIn(need.roles).map((role) => ({
        id: roleId(id, role),
        type: isExactRole(role) ? type : ("float" as const),
      })),
    );
    return prefetchMetrics(layer.blocks, roles, { ...range, isOneWindow: undefined, maxCacheBytes });
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

  addDelete(deleted: Deleted): void {
    this.#opened.addDelete(deleted);
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
    await this.#opened.close();
  }
}
