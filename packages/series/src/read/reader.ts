/** Reads points, windows and metrics of a store. */
import { invalidArgument, optionsObject, refuseUnknown } from "moonpack/bytes";
import type {
  Match,
  MetricRef,
  Point,
  PointBatch,
  PointQuery,
  Points,
  Selected,
  Selection,
  WindowBatch,
  WindowQuery,
  Windows,
} from "../api.js";
import type { Store } from "../drivers/driver.js";
import { SeriesError } from "../errors.js";
import type { Settings } from "../options.js";
import type { RegisteredMetric } from "../registry/registered-metric.js";
import type { Registry } from "../registry/registry.js";
import { PointRows, WindowRows } from "../rows.js";
import { checkedTag, compileMatch, MATCH_OPTIONS } from "../select/match.js";
import { WindowAggregator } from "../window/aggregator.js";
import { type WindowPlan, windowPlan } from "../window/plan.js";
import { END_OF_TIME } from "../write/staging.js";
import { absoluteTimes, BatchMemory, batchOf } from "./batches.js";
import { MetricReader } from "./metric-reader.js";
import type { TimeRange } from "./plan.js";
import { ReadScheduler, throwIfAborted } from "./read-scheduler.js";
import { type ReadRange, type ReadRequest, readQuery, readSelection } from "./request.js";
import { Scan, type ScanSource } from "./scan.js";

/** Limits of memory that is kept for later reads: number of buffers, and points of each. */
const MAX_MEMORIES = 64;
const MAX_KEPT = 4096;

/** The parts of a store that a reader needs. */
export interface ReaderParts {
  readonly settings: Settings;
  readonly store: Store;
  readonly registry: Registry;
  readonly source: ScanSource;
  /** Throws if the store is closed. */
  assertOpen(): void;
}

/** Finds a registered metric. */
type Found = RegisteredMetric | undefined;

/** Implements the read calls of a store. */
export class SeriesReader {
  readonly #parts: ReaderParts;
  readonly #unit: 1 | 1000;
  readonly #metrics: MetricReader;
  /** Memory of finished reads, for the next ones. */
  readonly #memories: BatchMemory[] = [];

  constructor(parts: ReaderParts) {
    this.#parts = parts;
    this.#unit = parts.settings.unitMs;
    this.#metrics = new MetricReader(parts);
  }

  query(query: PointQuery | WindowQuery): Points | Windows {
    this.#parts.assertOpen();
    const request = readQuery(query, this.#unit);
    const { metric } = request;
    if (metric === undefined) throw invalidArgument("a query needs a metric");
    const { registry } = this.#parts;
    const known = registry.find(metric) ?? metric;
    // Looked up for each loop: it may have been forgotten since.
    const find = () => registry.find(known) ?? this.find(known);
    if (!request.isWindowed) return new PointRows(() => this.#points(find, request));
    const plan = windowPlan(request.window, request, this.#unit);
    return new WindowRows(() => this.#windows(find, request, plan), namesOf(plan));
  }

  async *select(selection: Selection): AsyncGenerator<Selected<Points | Windows>> {
    this.#parts.assertOpen();
    const request = readSelection(selection, this.#unit);
    const plan = request.isWindowed ? windowPlan(request.window, request, this.#unit) : undefined;
    throwIfAborted(request.signal);
    for await (const metric of this.#metrics.matching(compileMatch(selection), new ReadScheduler(request.signal))) {
      throwIfAborted(request.signal);
      const find = () => this.#parts.registry.find(metric) ?? this.find(metric);
      yield {
        metric,
        points:
          plan === undefined
            ? new PointRows(() => this.#points(find, request))
            : new WindowRows(() => this.#windows(find, request, plan), namesOf(plan)),
      };
    }
  }

  async last(ref: MetricRef): Promise<Point | undefined> {
    this.#parts.assertOpen();
    const request = { from: undefined, to: undefined, signal: undefined, reverse: true, limit: 1, isWindowed: false };
    const [point] = await new PointRows(() => this.#points(() => this.find(ref), request)).toArray();
    return point;
  }

  /** Returns the matching metrics, by ascending id. */
  metrics(match: Match = {}): AsyncGenerator<RegisteredMetric> {
    this.#parts.assertOpen();
    refuseUnknown(optionsObject(match, "a match"), MATCH_OPTIONS, "option of a match");
    return this.#metrics.matching(compileMatch(match), new ReadScheduler(undefined));
  }

  async tagValues(key: string, match: Match = {}): Promise<string[]> {
    this.#parts.assertOpen();
    if (typeof key !== "string") throw invalidArgument("the key of a tag must be a string");
    refuseUnknown(optionsObject(match, "a match"), MATCH_OPTIONS, "option of a match");
    return await this.#metrics.tagValues(checkedTag(key), compileMatch(match), new ReadScheduler(undefined));
  }

  /** Returns the handle of a metric; undefined if it is not registered. */
  async find(ref: MetricRef): Promise<RegisteredMetric | undefined> {
    const { registry } = this.#parts;
    return registry.find(ref) ?? (await registry.load(ref));
  }

  /** Returns the handle of a metric in a read-only store. */
  async known(ref: MetricRef): Promise<RegisteredMetric> {
    const metric = await this.find(ref);
    if (metric !== undefined) return metric;
    throw new SeriesError(
      "ERR_SERIES_READ_ONLY",
      `metric ${JSON.stringify(ref.name)} is not in this store, which is open for reading only`,
    );
  }

  /** Returns the range of a request as numbers. Points beyond retention are hidden. */
  #range({ from = 0, to = END_OF_TIME }: Pick<ReadRange, "from" | "to">): { from: number; to: number } {
    const { settings } = this.#parts;
    return { from: Math.max(from, settings.now() - settings.retention, 0), to };
  }

  async *#points(
    find: () => Found | Promise<Found>,
    request: ReadRequest,
  ): AsyncGenerator<PointBatch, void, undefined> {
    this.#parts.assertOpen();
    throwIfAborted(request.signal);
    const found = find();
    const metric = found instanceof Promise ? await found : found;
    const { reverse, limit, signal } = request;
    if (metric === undefined || limit === 0) return;
    const memory = this.#memories.pop() ?? new BatchMemory();
    const scheduler = new ReadScheduler(signal);
    const scan = this.#scan(metric, this.#range(request), reverse, scheduler, memory);
    let left = limit;
    // Without a second generator, which would cost two more promises per value.
    while (left > 0 && !scan.isOver) {
      for (const one of await scan.step()) {
        const batch = batchOf(one.hour, scan.unite(one), reverse, left, this.#unit, memory);
        if (batch === undefined) continue;
        yield batch;
        left -= batch.length;
        const pause = scheduler.pause();
        if (pause !== undefined) await pause;
        if (left === 0) break;
      }
    }
    // Not after an interrupted loop: its last batch may still be in use.
    this.#release(memory);
  }

  async *#windows(
    find: () => Found | Promise<Found>,
    request: ReadRequest,
    plan: WindowPlan,
  ): AsyncGenerator<WindowBatch, void, undefined> {
    this.#parts.assertOpen();
    throwIfAborted(request.signal);
    const found = find();
    const metric = found instanceof Promise ? await found : found;
    const aggregator = new WindowAggregator(plan, metric?.type === "int64");
    const scheduler = new ReadScheduler(request.signal);
    if (metric !== undefined) {
      const range = this.#range(request);
      const memory = this.#memories.pop() ?? new BatchMemory();
      const scan = this.#scan(metric, range, false, scheduler, memory);
      if (range.from > 0 && plan.aggregates.some(({ kind }) => kind === "increase" || kind === "rate"))
        await this.#startAfter(aggregator, metric, range.from, scheduler);
      while (!scan.isOver) {
        for (const one of await scan.step()) {
          const points = scan.unite(one);
          memory.times = absoluteTimes(one.hour, points, memory.times);
          for (const batch of aggregator.add(memory.times, points.values, 0, points.length)) {
            yield batch;
            await scheduler.pause();
          }
          await scheduler.pause();
        }
      }
      this.#release(memory);
    }
    for (const batch of aggregator.end()) {
      yield batch;
      await scheduler.pause();
    }
  }

  #scan(
    { id }: RegisteredMetric,
    { from, to }: TimeRange,
    reverse: boolean,
    scheduler: ReadScheduler,
    memory: BatchMemory,
  ): Scan {
    return new Scan(this.#parts.source, { id, from, to, reverse, scheduler }, memory.scan);
  }

  #release(memory: BatchMemory): void {
    if (this.#memories.length < MAX_MEMORIES && memory.times.length <= MAX_KEPT) this.#memories.push(memory);
  }

  /** Passes the last number before a time to the aggregator, as the base of `increase`. */
  async #startAfter(
    aggregator: WindowAggregator,
    metric: RegisteredMetric,
    before: number,
    scheduler: ReadScheduler,
  ): Promise<void> {
    const range = this.#range({ from: 0, to: before });
    const scan = this.#scan(metric, range, true, scheduler, new BatchMemory());
    while (!scan.isOver) {
      for (const one of await scan.step()) {
        const { values, length, isInt64 } = scan.unite(one);
        for (let i = length - 1; i >= 0; i--) {
          if (!isInt64 && Number.isNaN(values.floats[i])) continue;
          aggregator.startAfter(values, i);
          return;
        }
      }
    }
  }
}

function namesOf({ aggregates }: WindowPlan): WindowPlan["aggregates"][number]["name"][] {
  return aggregates.map(({ name }) => name);
}
