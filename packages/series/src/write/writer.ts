/** Writes points. All points of a call are checked before any is written, and before metrics are registered. */
import { invalidArgument } from "moonpack/bytes";
import type { MetricRef, MetricSet, NewPoint, ScrapeOptions, Values, WriteResult } from "../api.js";
import { SeriesError } from "../errors.js";
import type { Metric, MetricType } from "../metric/metric.js";
import type { RegisteredMetric } from "../registry/registered-metric.js";
import type { Registry } from "../registry/registry.js";
import type { Resolution } from "../registry/resolution.js";
import { CallMetrics } from "./call-metrics.js";
import type { CallOrder } from "./call-order.js";
import { CallRefs } from "./call-refs.js";
import { checkIterable, checkKind, checkLength, checkPoint, readSkipNaN } from "./checks.js";
import { ADDED_AT_ONCE, Committer, type CommitterParts, Counts } from "./committer.js";
import { DeferredPoints } from "./deferred-points.js";
import { RegisteredSet } from "./metric-set.js";
import { ScrapeValues } from "./scrape-values.js";
import { checkFloat, Int64Words, milliseconds, quoted, StagedPoints } from "./staging.js";

/** The parts of a store that a writer needs. */
export interface WriterParts extends CommitterParts {
  readonly registry: Registry;
  /** The order of all calls that write or delete. */
  readonly order: CallOrder;
}

/** The points of one call, by type. */
class Stage {
  readonly floats = new StagedPoints();
  readonly int64s = new StagedPoints();
}

/** True if points can be committed in one iteration of the event loop. */
function isSmall({ floats, int64s }: Stage): boolean {
  return floats.length + int64s.length <= ADDED_AT_ONCE;
}

/** Implements the write calls of a store. */
export class PointWriter {
  readonly #parts: WriterParts;
  readonly #unit: number;
  readonly #metrics: CallMetrics;
  readonly #committer: Committer;
  readonly #int64 = new Int64Words();
  /** Free stages. Several are needed: a call may start while another one still iterates over its points. */
  readonly #stages: Stage[] = [];
  readonly #values = new ScrapeValues();

  constructor(parts: WriterParts) {
    this.#parts = parts;
    this.#unit = parts.settings.unitMs;
    this.#committer = new Committer(parts);
    this.#metrics = new CallMetrics(parts.registry, parts.order, this.#committer);
  }

  /** Points since the store was opened. */
  get counts(): { points: number; late: number; refused: number } {
    const { points, late, refused } = this.#committer;
    return { points, late, refused };
  }

  /** True if a call with known metrics can write at once. */
  get #isFree(): boolean {
    return this.#parts.order.isFree && this.#committer.hasRoom;
  }

  /** Waits for earlier calls, and for room. */
  async #ready(previous: Promise<void>): Promise<void> {
    await previous;
    await this.#committer.waitForRoom();
  }

  /** Returns the handle of a metric, and registers an unknown one. */
  async metric(ref: Metric): Promise<RegisteredMetric> {
    return this.#metrics.find(ref) ?? (await this.#metrics.register([ref]))[0]!;
  }

  /** Waits for earlier calls, and returns the handle of a metric; undefined if it is not registered. */
  async existing(ref: MetricRef, previous: Promise<void>): Promise<RegisteredMetric | undefined> {
    return await this.#metrics.existing(ref, previous);
  }

  async write(points: Iterable<NewPoint>): Promise<WriteResult> {
    this.#committer.assertWritable();
    return await this.#staged((stage) => this.#write(points, stage));
  }

  /** Runs a call with memory for its points. */
  async #staged(call: (stage: Stage) => Promise<WriteResult>): Promise<WriteResult> {
    const stage = this.#stages.pop() ?? new Stage();
    try {
      return await call(stage);
    } finally {
      stage.floats.clear();
      stage.int64s.clear();
      this.#stages.push(stage);
    }
  }

  async #write(points: Iterable<NewPoint>, stage: Stage): Promise<WriteResult> {
    const deferred = this.#stage(points, stage);
    if (deferred === undefined && this.#isFree) return await this.#commitNow(stage);
    const counts = await this.#parts.order.inOrder(async (previous) => {
      if (deferred === undefined) await this.#ready(previous);
      else {
        const metrics = await this.#metrics.resolve(deferred.refs, () => this.#ready(previous));
        this.#checkDeferred(deferred, metrics);
        this.#stageDeferred(deferred, await this.#metrics.registered(metrics), stage);
      }
      return await this.#commit(stage);
    });
    return this.#committer.done(counts);
  }

  /** Checks and copies points. Returns the points from the first one whose metric must be searched in the store; usually undefined. */
  #stage(points: Iterable<NewPoint>, stage: Stage): DeferredPoints | undefined {
    const { registry } = this.#parts;
    let deferred: DeferredPoints | undefined;
    let index = 0;
    checkIterable(points, "points");
    if (this.#parts.order.mayForget) deferred = new DeferredPoints(registry, this.#unit);
    for (const point of points) {
      if (typeof point !== "object" || point === null) throw invalidArgument(`point ${index} is not an object`);
      const { metric: ref, timestamp, value } = point;
      if (ref === undefined || timestamp === undefined || value === undefined) checkPoint(point);
      if (deferred === undefined) {
        const metric = registry.find(ref);
        if (metric !== undefined) {
          this.#stagePoint(stage, metric, milliseconds(timestamp, this.#unit), value, index++);
          continue;
        }
        // The order of points must not change, so all later points wait, too.
        deferred = new DeferredPoints(registry, this.#unit);
      }
      deferred.add(ref, timestamp, value, index++);
    }
    if (deferred === undefined) return undefined;
    const metrics = this.#committer.hasRoom ? this.#metrics.atOnce(deferred.refs) : undefined;
    if (metrics === undefined) return deferred;
    this.#checkDeferred(deferred, metrics);
    this.#stageDeferred(deferred, this.#metrics.registeredAtOnce(metrics), stage);
    return undefined;
  }

  #checkDeferred({ length, values }: DeferredPoints, metrics: Resolution): void {
    for (let i = 0; i < length; i++) this.#checkValue(metrics.types[i]!, values[i]!, metrics.ref(i));
  }

  #stageDeferred(deferred: DeferredPoints, metrics: readonly RegisteredMetric[], stage: Stage): void {
    const { length, times, values, indices } = deferred;
    for (let i = 0; i < length; i++) this.#stagePoint(stage, metrics[i]!, times[i]!, values[i]!, indices[i]!);
  }

  #checkValue(type: MetricType, value: number | bigint, ref: MetricRef): void {
    if (type === "float") checkFloat(value, ref);
    else this.#int64.set(value, ref);
  }

  #stagePoint(stage: Stage, metric: RegisteredMetric, time: number, value: number | bigint, index: number): void {
    if (metric.type === "float") {
      checkFloat(value, metric);
      stage.floats.addFloat(metric.id, time, value, index);
    } else {
      this.#int64.set(value, metric);
      stage.int64s.addInt64(metric.id, time, this.#int64.low, this.#int64.high, index);
    }
  }

  #commitAtOnce({ floats, int64s }: Stage): Counts {
    const counts = new Counts();
    this.#committer.column(floats, false, counts);
    this.#committer.column(int64s, true, counts);
    return counts;
  }

  /** Commits points when no call waits. Many points begin in the next iteration of the event loop: they are committed in slices. */
  async #commitNow(stage: Stage): Promise<WriteResult> {
    if (isSmall(stage)) return this.#committer.done(this.#commitAtOnce(stage));
    return this.#committer.done(await this.#parts.order.inOrder(() => this.#commit(stage)));
  }

  /** Commits points, when earlier calls have ended. */
  async #commit(stage: Stage): Promise<Counts> {
    if (isSmall(stage)) return this.#commitAtOnce(stage);
    const counts = new Counts();
    this.#committer.assertWritable();
    await this.#committer.columns(stage.floats, stage.int64s, counts);
    return counts;
  }

  /** Prepares a set. */
  async metricSet(refs: Iterable<MetricRef>): Promise<MetricSet> {
    const { registry, log } = this.#parts;
    checkIterable(refs, "metrics of a set");
    const { forgotten } = registry;
    const metrics = await this.#metrics.register(refs, (resolution) => {
      const { types } = resolution;
      const other = types.findIndex((type) => type !== types[0]);
      if (other < 0) return;
      const text = `a set has one type: ${quoted(resolution.ref(other))} is ${types[other]}, not ${types[0]}`;
      throw new SeriesError("ERR_SERIES_TYPE", text);
    });
    await log.committed();
    return new RegisteredSet(registry, metrics, metrics[0]?.type ?? "float", forgotten);
  }

  /** Writes a value for each metric of a set. */
  async writeScrape(timestamp: number, set: MetricSet, values: Values, options?: ScrapeOptions): Promise<WriteResult> {
    this.#committer.assertWritable();
    const skipNaN = options !== undefined && readSkipNaN(options);
    if (!RegisteredSet.isOf(set, this.#parts.registry))
      throw invalidArgument("the set must come from metricSet() of this store");
    const time = milliseconds(timestamp, this.#unit);
    checkLength(values, set.size);
    checkKind(values instanceof BigInt64Array, set.type);
    if (this.#isFree && !this.#isStale(set))
      return this.#committer.done(this.#commitScrape(time, set, values, skipNaN));
    // Copied: the caller may reuse its array when this call returns.
    const copy = values.slice();
    const counts = await this.#parts.order.inOrder(async (previous) => {
      await this.#ready(previous);
      if (this.#isStale(set)) await this.#refresh(set);
      return this.#commitScrape(time, set, copy, skipNaN);
    });
    return this.#committer.done(counts);
  }

  /** True if metrics were forgotten since the last check of the set. */
  #isStale(set: RegisteredSet): boolean {
    return set.checkedAt !== this.#parts.registry.forgotten;
  }

  /** Registers forgotten metrics again. */
  async #refresh(set: RegisteredSet): Promise<void> {
    const refs = CallRefs.of(set.metrics, this.#parts.registry);
    const metrics = await this.#metrics.resolve(refs, () => Promise.resolve());
    this.#committer.assertWritable();
    set.replace(await this.#metrics.registered(metrics), this.#parts.registry.forgotten);
  }

  #commitScrape(time: number, set: RegisteredSet, values: Values, skipNaN: boolean): Counts {
    const ours = this.#values;
    const all = ours.copy(values);
    const { n, ids } = skipNaN && set.type === "float" ? ours.withoutNaN(all, set.ids) : { n: all, ids: set.ids };
    const counts = this.#committer.scrape(time, ids, n, ours.values, set.type === "int64");
    // The caller's index counts skipped values, too.
    for (let i = 0; n < all && i <= counts.firstRefused; i++)
      if (Number.isNaN(Number(values[i]))) counts.firstRefused++;
    return counts;
  }

  /** Writes points of one metric. */
  async writeColumn(ref: MetricRef, timestamps: Float64Array, values: Values): Promise<WriteResult> {
    this.#committer.assertWritable();
    if (!(timestamps instanceof Float64Array)) throw invalidArgument("timestamps must be a Float64Array");
    checkLength(values, timestamps.length);
    return await this.#staged((stage) => this.#writeColumn(ref, timestamps, values, stage));
  }

  async #writeColumn(ref: MetricRef, timestamps: Float64Array, values: Values, stage: Stage): Promise<WriteResult> {
    const refs = CallRefs.of([ref], this.#parts.registry);
    const isInt64 = values instanceof BigInt64Array;
    const staged = isInt64 ? stage.int64s : stage.floats;
    this.#stageColumn(timestamps, values, staged);
    const register = (metrics: Resolution) => {
      checkKind(isInt64, metrics.types[0]!);
      staged.ids.fill(metrics.register(0).id, 0, staged.length);
    };
    const atOnce = this.#committer.hasRoom ? this.#metrics.atOnce(refs) : undefined;
    if (atOnce !== undefined) {
      register(atOnce);
      return await this.#commitNow(stage);
    }
    const counts = await this.#parts.order.inOrder(async (previous) => {
      register(await this.#metrics.resolve(refs, () => this.#ready(previous)));
      return await this.#commit(stage);
    });
    return this.#committer.done(counts);
  }

  /** Checks and copies a column, except its metric. */
  #stageColumn(timestamps: Float64Array, values: Values, staged: StagedPoints): void {
    const n = timestamps.length;
    staged.reserve(n);
    const { times, indices } = staged;
    for (let i = 0; i < n; i++) {
      times[i] = milliseconds(timestamps[i]!, this.#unit);
      indices[i] = i;
    }
    this.#values.copy(values);
    staged.values.words.set(this.#values.values.words.subarray(0, 2 * n));
    staged.length = n;
  }
}
