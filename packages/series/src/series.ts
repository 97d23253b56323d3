/** An open store. Its calls are implemented in write/, read/ and seal/. */

import { invalidArgument, MoonpackError } from "moonpack/bytes";
import type {
  Aggregate,
  BlockSelection,
  Damage,
  Deletion,
  Fill,
  Match,
  MetricRef,
  MetricSet,
  NewPoint,
  Point,
  PointQuery,
  Points,
  Recovery,
  Rows,
  ScrapeOptions,
  SelectedBlock,
  SelectedPoints,
  SelectedWindows,
  Selection,
  Selections,
  Series,
  SeriesStats,
  Values,
  WatchedBatch,
  Watching,
  WindowQuery,
  WindowSelection,
  Windows,
  WriteResult,
} from "./api.js";
import { SeriesError } from "./errors.js";
import type { Head } from "./head/head.js";
import type { WriteAheadLog } from "./log/write-ahead-log.js";
import type { Forgotten } from "./log-replay.js";
import type { Metric, MetricHandle } from "./metric/metric.js";
import type { Settings } from "./options.js";
import { PagePoints } from "./page/page.js";
import { SeriesReader } from "./read/reader.js";
import { type ReadDeletion, readDeletion } from "./read/request.js";
import type { SealedStore } from "./read/sealed-store.js";
import type { RegisteredMetric } from "./registry/registered-metric.js";
import type { Registry } from "./registry/registry.js";
import { RunningCalls } from "./running-calls.js";
import type { Jobs } from "./seal/jobs.js";
import { Schedule } from "./seal/schedule.js";
import type { NameSource } from "./select/name-source.js";
import { readWatching } from "./watch/request.js";
import { Watcher } from "./watch/watcher.js";
import { Watches } from "./watch/watches.js";
import { CallOrder } from "./write/call-order.js";
import { PointWriter } from "./write/writer.js";

/** The parts of an open store. */
export interface StoreParts {
  readonly settings: Settings;
  /** The metrics that are on disk, by form, id and tag. */
  readonly names: NameSource;
  /** The points that are on disk. */
  readonly sealed: SealedStore;
  readonly log: WriteAheadLog;
  readonly head: Head;
  readonly registry: Registry;
  readonly recovery: Recovery;
}

/** The implementation of `Series`. */
export class OpenSeries implements Series {
  readonly #parts: StoreParts;
  readonly #maintenance: Jobs;
  readonly #schedule: Schedule;
  /** The order of writes and deletes. */
  readonly #order = new CallOrder();
  readonly #writer: PointWriter;
  readonly #reader: SeriesReader;
  readonly #watches: Watches;
  /** The calls that close() waits for. Not reads: a reader may never request its next point. */
  readonly #calls = new RunningCalls();
  #closed: Promise<void> | undefined;

  constructor(parts: StoreParts) {
    this.#parts = parts;
    const { settings, names, registry, sealed } = parts;
    this.#maintenance = sealed.jobs;
    this.#schedule = new Schedule(settings, parts.head, registry, this.#maintenance);
    this.#watches = new Watches(parts.log);
    this.#writer = new PointWriter({
      ...parts,
      maintenance: this.#maintenance,
      schedule: this.#schedule,
      order: this.#order,
      watches: this.#watches,
      assertOpen: () => this.#assertWritable(),
    });
    this.#reader = new SeriesReader({
      settings,
      names,
      registry,
      sealed,
      assertOpen: () => this.#assertOpen(),
    });
    if (settings.readOnly) void this.#schedule.stop();
  }

  get unit(): "ms" | "s" {
    return this.#parts.settings.unitMs === 1 ? "ms" : "s";
  }

  get readOnly(): boolean {
    return this.#parts.settings.readOnly;
  }

  /** Forgets the metrics that the log has recorded as forgotten. */
  async forgetRecovered(forgotten: readonly Forgotten[]): Promise<void> {
    const { registry } = this.#parts;
    const metrics = await registry.byIds(forgotten.map(({ id }) => id));
    metrics.forEach((metric, i) => {
      // Its entries may be deleted already.
      if (metric !== undefined) this.#forget(metric, forgotten[i]!.file);
    });
  }

  /** Seals recovered points, because a store with durability `none` has no log. */
  async sealRecoveredLog(): Promise<void> {
    await this.#maintenance.run(() => this.#maintenance.seal("all"));
  }

  /** Closes a store whose opening failed, without writing. */
  async abandon(): Promise<void> {
    this.#closed = Promise.resolve();
    this.#maintenance.stop();
    await this.#schedule.stop();
    await this.#maintenance.settled();
    await this.#parts.log.close();
  }

  #forget(metric: RegisteredMetric, file: number): void {
    const { registry, sealed } = this.#parts;
    registry.forget(metric);
    this.#watches.forget(metric);
    sealed.forget({ metric, form: registry.formOf(metric) }, file);
  }

  async metric(metric: Metric): Promise<MetricHandle> {
    this.#assertOpen();
    const { settings, log } = this.#parts;
    if (settings.readOnly) return await this.#reader.known(metric);
    const handle = await this.#writer.metric(metric);
    await log.committed();
    return handle;
  }

  async write(points: Iterable<NewPoint>): Promise<WriteResult> {
    return await this.#writer.write(points);
  }

  async metricSet(metrics: Iterable<MetricRef>): Promise<MetricSet> {
    this.#assertWritable();
    return await this.#writer.metricSet(metrics);
  }

  async writeScrape(timestamp: number, set: MetricSet, values: Values, options?: ScrapeOptions): Promise<WriteResult> {
    return await this.#writer.writeScrape(timestamp, set, values, options);
  }

  async writeColumn(metric: MetricRef, timestamps: Float64Array, values: Values): Promise<WriteResult> {
    return await this.#writer.writeColumn(metric, timestamps, values);
  }

  query<const A extends readonly Aggregate[], F extends Fill = "none">(query: WindowQuery<A, F>): Windows<A, F>;
  query(query: PointQuery): Points;
  query(query: PointQuery | WindowQuery): Rows<never, never> {
    return this.#reader.query(query);
  }

  select<const A extends readonly Aggregate[], F extends Fill = "none">(
    selection: WindowSelection<A, F>,
  ): Selections<Windows<A, F>, SelectedWindows<A>>;
  select(selection: Selection): Selections<Points, SelectedPoints>;
  select(selection: Selection): Selections<never, never> {
    return this.#reader.select(selection);
  }

  blocks(selection: BlockSelection): AsyncIterable<SelectedBlock> {
    return this.#reader.blocks(selection);
  }

  watch(watching: Watching = {}): AsyncIterable<WatchedBatch> {
    this.#assertWritable();
    const { registry, settings } = this.#parts;
    const request = readWatching(watching, registry);
    const parts = { registry, watches: this.#watches, unit: settings.unitMs, assertOpen: () => this.#assertOpen() };
    return { [Symbol.asyncIterator]: () => new Watcher(parts, request) };
  }

  async last(metric: MetricRef): Promise<Point | undefined> {
    return await this.#reader.last(metric);
  }

  metrics(match?: Match): AsyncIterable<MetricHandle> {
    return this.#reader.metrics(match);
  }

  async tagValues(key: string, match?: Match): Promise<string[]> {
    return await this.#reader.tagValues(key, match);
  }

  async delete(deletion: Deletion): Promise<void> {
    this.#assertWritable();
    await this.#calls.run(() => this.#delete(deletion));
  }

  async #delete(deletion: Deletion): Promise<void> {
    const { settings, registry, log } = this.#parts;
    const request = readDeletion(deletion, settings.unitMs);
    const { metric: ref } = request;
    const known = this.#order.isFree ? registry.find(ref) : undefined;
    if (known !== undefined) this.#remove(known, request);
    else {
      const isThere = await this.#order.inOrder(async (previous) => {
        const metric = await this.#writer.existing(ref, previous);
        if (metric !== undefined) this.#remove(metric, request);
        return metric !== undefined;
      }, request.isWhole);
      if (!isThere) return;
    }
    await log.committed();
    await this.#maintenance.run(() => this.#maintenance.applyDeletes());
  }

  /** Without a pause: points that are written later stay. */
  #remove(metric: RegisteredMetric, { from, to, isWhole }: ReadDeletion): void {
    if (from >= to) return;
    const { log, head, sealed } = this.#parts;
    log.assertWritable();
    if (!isWhole) sealed.refuseDelete?.({ from, to }, this.#reader.visible(metric));
    const { file } = log;
    if (isWhole) {
      log.forget(metric.id);
      this.#forget(metric, file);
    } else {
      log.delete(metric.id, from, to);
      sealed.addDelete({ id: metric.id, from, to, file });
    }
    head.remove(metric.id, from, to, new PagePoints());
  }

  async flush(): Promise<void> {
    this.#assertWritable();
    await this.#calls.run(async () => {
      await this.#maintenance.run(() => this.#maintenance.seal("all"));
      await this.#parts.log.sync();
    });
  }

  async compact(): Promise<void> {
    this.#assertWritable();
    await this.#calls.run(() => this.#compact());
  }

  async #compact(): Promise<void> {
    const maintenance = this.#maintenance;
    await maintenance.run(() => maintenance.rollUp());
    await maintenance.run(() => maintenance.dropOldWeeks("sealed"));
    await this.#parts.sealed.compact();
  }

  async dropOld(): Promise<void> {
    this.#assertWritable();
    const { settings, registry } = this.#parts;
    if (settings.retention === Number.POSITIVE_INFINITY && registry.retention === undefined)
      throw invalidArgument("dropOld needs the option retention: points are kept for ever");
    await this.#calls.run(() => this.#maintenance.run(() => this.#maintenance.dropOldWeeks("now")));
  }

  async stats(): Promise<SeriesStats> {
    this.#assertOpen();
    return await this.#calls.run(() => this.#stats());
  }

  async #stats(): Promise<SeriesStats> {
    const { settings, sealed, log, head, registry, recovery } = this.#parts;
    const maintenance = this.#maintenance;
    const { points, late, refused } = this.#writer.counts;
    const diskBytes = await sealed.size();
    return {
      points,
      late,
      refused,
      metrics: registry.next,
      headPoints: head.points,
      headBytes: head.bytes + registry.pendingBytes,
      logBytes: log.size,
      unwrittenBytes: log.unwrittenBytes,
      diskBytes,
      ...(maintenance.sealed >= 0 && { sealedUntil: (maintenance.sealed * 60_000) / settings.unitMs }),
      rounds: maintenance.rounds,
      pagesWritten: maintenance.pagesWritten,
      hoursWritten: maintenance.hoursWritten,
      corrupt: sealed.corrupt + maintenance.corrupt,
      recovery,
    };
  }

  async check(): Promise<readonly Damage[]> {
    this.#assertOpen();
    return await this.#calls.run(() => this.#parts.sealed.check());
  }

  async backup(to: string): Promise<void> {
    this.#assertOpen();
    await this.#calls.run(() => this.#parts.sealed.backup(to));
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    const { settings, sealed, log } = this.#parts;
    this.#maintenance.stop();
    await this.#schedule.stop();
    await this.#calls.ended();
    await this.#parts.head.adding;
    let failure: unknown;
    try {
      // Minutes ahead of the clock stay in the log: if they were sealed, all points before them would be late.
      const reach = settings.durability === "none" || settings.path === undefined ? "all" : "past";
      if (!settings.readOnly) await this.#maintenance.run(() => this.#maintenance.seal(reach));
    } catch (error) {
      // Points that could not be sealed are in the log, and are recovered when the store is opened again.
      failure = error;
    }
    await this.#maintenance.settled();
    try {
      await log.close();
    } finally {
      await this.#watches.close();
      // The store is unlocked even if closing the log failed.
      await sealed.close();
    }
    if (failure !== undefined) throw failure;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #assertOpen(): void {
    if (this.#closed !== undefined) throw new MoonpackError("ERR_CLOSED", "the store is closed");
  }

  #assertWritable(): void {
    this.#assertOpen();
    if (this.#parts.settings.readOnly)
      throw new SeriesError("ERR_SERIES_READ_ONLY", "the store is open for reading only");
  }
}
