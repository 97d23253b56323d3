/** Opens scans of single metrics, for all reads of a store. */
import type { IsOneWindow } from "../blocks/summary-cursor.js";
import type { RegisteredMetric } from "../registry/registered-metric.js";
import type { Registry } from "../registry/registry.js";
import { SummaryNeed } from "../summarize/summary-need.js";
import type { WindowAggregator } from "../window/aggregator.js";
import type { WindowPlan } from "../window/plan.js";
import { canSum } from "../window/state.js";
import { END_OF_TIME } from "../write/staging.js";
import { BatchMemory } from "./batches.js";
import type { ReadScheduler } from "./read-scheduler.js";
import type { ReadRange } from "./request.js";
import type { PointRequest, PointScan, SealedStore } from "./sealed-store.js";
import type { TimeRange } from "./time-range.js";

/** The range of a read of windows. */
export interface WindowRange extends TimeRange {
  readonly isOneWindow: IsOneWindow | undefined;
  /** Defined if kept summaries may be used. */
  readonly need: SummaryNeed | undefined;
}

/** A scan of a metric; `need`: for windows that kept summaries may have. */
export interface ScanRequest extends PointRequest {
  readonly need?: SummaryNeed | undefined;
}

/** Maximum number of buffers that later reads reuse. */
const MAX_MEMORIES = 64;

/** The parts of a store that a source needs. */
export interface SourceParts {
  readonly settings: { readonly retention: number; now(): number };
  readonly sealed: SealedStore;
  readonly registry: Registry;
}

/** The points of a store. */
export class MetricSource {
  readonly #parts: SourceParts;
  /** Memory of finished reads, for the next ones. */
  readonly #memories: BatchMemory[] = [];

  constructor(parts: SourceParts) {
    this.#parts = parts;
  }

  /** Returns the range of a request as numbers. Points beyond the longest retention are hidden. */
  range({ from = 0, to = END_OF_TIME }: Pick<ReadRange, "from" | "to">): TimeRange {
    const { settings } = this.#parts;
    return { from: Math.max(from, settings.now() - settings.retention, 0), to };
  }

  /** Returns the range of windows, and what they need. If kept summaries may have it, the range begins before retention. */
  windows(request: Pick<ReadRange, "from" | "to">, plan: WindowPlan): WindowRange {
    const { from = 0, to = END_OF_TIME } = request;
    const need = this.#parts.sealed.hasSummaries === true ? SummaryNeed.of(plan, from, to) : undefined;
    const range = need === undefined ? this.range(request) : { from, to };
    return { ...range, isOneWindow: oneWindow(plan, range), need };
  }

  /** Returns the points of a metric, except those beyond its retention. */
  scan(read: ScanRequest, memory: BatchMemory): PointScan {
    if (read.need !== undefined) {
      const summarized = { need: read.need, visible: this.visible(read.metric) };
      return this.#parts.sealed.scan({ ...read, summarized }, memory);
    }
    const from = this.#first(read.metric, read.from);
    if (from === read.from) return this.#parts.sealed.scan(read, memory);
    const isOneWindow =
      read.isOneWindow && ((first: number, last: number) => first >= from && read.isOneWindow!(first, last));
    return this.#parts.sealed.scan({ ...read, from, isOneWindow }, memory);
  }

  /** Returns the time before which the points of a metric are beyond its retention. */
  visible(metric: RegisteredMetric): number {
    return this.#first(metric, this.range({ from: 0, to: undefined }).from);
  }

  /** Returns the newest point of a metric before a time: see {@link SealedStore.last}. */
  last(metric: RegisteredMetric, before?: number): ReturnType<NonNullable<SealedStore["last"]>> {
    const { from, to } = this.range({ from: 0, to: before });
    return this.#parts.sealed.last?.(metric, { from: this.#first(metric, from), to });
  }

  /** Returns the first time from `from` on that is not beyond a metric's retention. */
  #first({ id }: RegisteredMetric, from: number): number {
    const { registry, settings } = this.#parts;
    return registry.retention === undefined ? from : Math.max(from, settings.now() - registry.retention.keepOf(id));
  }

  /** Returns memory for scans. */
  takeMemory(): BatchMemory {
    return this.#memories.pop() ?? new BatchMemory();
  }

  /** Takes memory back. None of its batches may be in use. */
  release(memory: BatchMemory): void {
    if (this.#memories.length < MAX_MEMORIES && !memory.isLarge) this.#memories.push(memory);
  }

  /** Returns the time of the newest point of a range, or a time in the newest kept window; undefined without points. */
  async newest(
    metric: RegisteredMetric,
    range: TimeRange,
    scheduler: ReadScheduler,
    need?: SummaryNeed,
  ): Promise<number | undefined> {
    const point = await this.#newestPoint(metric, range, scheduler);
    if (need === undefined) return point;
    const window = await this.#parts.sealed.lastWindow?.(metric, range, need);
    return point === undefined || window === undefined ? (point ?? window) : Math.max(point, window);
  }

  async #newestPoint(
    metric: RegisteredMetric,
    range: TimeRange,
    scheduler: ReadScheduler,
  ): Promise<number | undefined> {
    const last = await this.#parts.sealed.last?.(metric, range);
    if (last !== undefined) return last?.time;
    const run = await this.scan({ metric, ...range, reverse: true, scheduler }, new BatchMemory()).next();
    return run?.times[run.to - 1];
  }

  /** Passes the last number before a time to the aggregator, as the base of `increase`. */
  async startAfter(
    aggregator: WindowAggregator,
    metric: RegisteredMetric,
    before: number,
    scheduler: ReadScheduler,
  ): Promise<void> {
    const range = this.range({ from: 0, to: before });
    const isInt64 = metric.type === "int64";
    const last = await this.last(metric, before);
    if (last === null) return;
    if (last !== undefined && (isInt64 || !Number.isNaN(last.values.floats[last.at])))
      return aggregator.startAfter(last.values, last.at);
    const request = { metric, ...range, reverse: true, scheduler, numbersOnly: true };
    const scan = this.scan(request, new BatchMemory());
    for (let run = await scan.next(); run !== undefined; run = await scan.next()) {
      for (let i = run.to - 1; i >= run.from; i--) {
        if (!isInt64 && Number.isNaN(run.values.floats[i])) continue;
        return aggregator.startAfter(run.values, i);
      }
      await scheduler.pause();
    }
  }
}

/** True if the windows of a range need the last number before it. */
export function needsBase({ aggregates }: WindowPlan, { from }: TimeRange): boolean {
  return from > 0 && aggregates.some(({ kind }) => kind === "increase" || kind === "rate");
}

/** Returns a test whether one window of a plan contains a range of times; undefined if its aggregates need the points. */
export function oneWindow(plan: WindowPlan, { from, to }: TimeRange): IsOneWindow | undefined {
  if (!canSum(plan)) return undefined;
  const { grid } = plan;
  return (first, last) => first >= from && last < to && last < grid.endOf(grid.startOf(first));
}
