/** Reads points, windows and metrics of a store. */
import { invalidArgument, optionsObject, refuseUnknown } from "moonpack/bytes";
import type {
  BlockSelection,
  Match,
  MetricChoice,
  MetricRef,
  Point,
  PointBatch,
  PointQuery,
  Points,
  Rows,
  Selected,
  SelectedBlock,
  SelectedPoints,
  SelectedWindows,
  Selection,
  Selections,
  WindowBatch,
  WindowQuery,
  Windows,
} from "../api.js";
import type { Newest } from "../blocks/newest.js";
import { SeriesError } from "../errors.js";
import type { Settings } from "../options.js";
import type { RegisteredMetric } from "../registry/registered-metric.js";
import type { Registry } from "../registry/registry.js";
import { PointRows, WindowRows } from "../rows.js";
import { NAME_LABEL } from "../select/label-matchers.js";
import { compileMatch, MATCH_OPTIONS } from "../select/match.js";
import type { NameSource } from "../select/name-source.js";
import { checkedTag } from "../select/tag-key.js";
import { Zones } from "../time-zone.js";
import { type WindowPlan, windowPlan } from "../window/plan.js";
import { batchOf } from "./batches.js";
import { EventLoopYield } from "./event-loop-yield.js";
import { MetricReader } from "./metric-reader.js";
import { MetricSource, type WindowRange } from "./metric-source.js";
import { AggregatorPool, ReadAhead } from "./read-ahead.js";
import { ReadScheduler, throwIfAborted } from "./read-scheduler.js";
import {
  type ReadArguments,
  type ReadRequest,
  readBlockSelection,
  readQuery,
  readSelection,
  type TimeSettings,
} from "./request.js";
import type { SealedStore } from "./sealed-store.js";
import { blockBatches, pointBatches, type SelectParts, windowBatches } from "./select-batches.js";
import { windowBatchesOf } from "./window-batches.js";

/** The parts of a store that a reader needs. */
export interface ReaderParts {
  readonly settings: Settings;
  readonly names: NameSource;
  readonly registry: Registry;
  readonly sealed: SealedStore;
  /** Throws if the store is closed. */
  assertOpen(): void;
}

/** Finds a registered metric. */
type Found = RegisteredMetric | undefined;

/** Implements the read calls of a store. */
export class SeriesReader {
  readonly #parts: ReaderParts;
  readonly #unit: 1 | 1000;
  readonly #times: TimeSettings;
  readonly #metrics: MetricReader;
  readonly #source: MetricSource;
  readonly #eventLoop = new EventLoopYield();

  constructor(parts: ReaderParts) {
    this.#parts = parts;
    this.#unit = parts.settings.unitMs;
    this.#times = { unit: this.#unit, zones: new Zones() };
    this.#metrics = new MetricReader(parts);
    this.#source = new MetricSource(parts);
  }

  /** Returns rows whose type depends on the query: overloads of the callers declare it. */
  query(query: PointQuery | WindowQuery): Rows<never, never> {
    this.#parts.assertOpen();
    const request = readQuery(query, this.#times);
    const { metric } = request;
    if (metric === undefined) throw invalidArgument("a query needs a metric");
    const { registry } = this.#parts;
    const known = registry.find(metric) ?? metric;
    // Looked up for each loop: it may have been forgotten since.
    const find = () => registry.find(known) ?? this.find(known);
    if (!request.isWindowed) return new PointRows(() => this.#points(find, request)) as Points as Rows<never, never>;
    const plan = windowPlan(request.window, request, this.#unit, request.zone);
    return new WindowRows(() => this.#windows(find, request, plan), namesOf(plan)) as Windows as Rows<never, never>;
  }

  /** Returns metrics with points or windows, as overloads of the callers declare. */
  select(selection: Selection): Selections<never, never> {
    this.#parts.assertOpen();
    const request = readSelection(selection, this.#times);
    const plan = request.isWindowed ? windowPlan(request.window, request, this.#unit, request.zone) : undefined;
    const groups = this.#groups(request, selection);
    const selected: Selections<Points | Windows, SelectedPoints | SelectedWindows> = {
      [Symbol.asyncIterator]: () => this.#selected(request, plan, groups),
      batches: () => this.#batches(request, plan, groups),
    };
    return selected as Selections<never, never>;
  }

  blocks(selection: BlockSelection): AsyncIterable<SelectedBlock> {
    this.#parts.assertOpen();
    const request = readBlockSelection(selection, this.#times);
    const groups = this.#groups(request, selection);
    return { [Symbol.asyncIterator]: () => this.#blocks(request, groups) };
  }

  /** Checks which metrics are selected. */
  #groups({ metrics }: ReadArguments, selection: MetricChoice): Groups {
    if (metrics !== undefined) return (scheduler) => this.#metrics.listed(metrics, scheduler);
    const match = compileMatch(selection);
    return (scheduler) => this.#metrics.groups(match, scheduler);
  }

  async *#selected(
    request: ReadRequest,
    plan: WindowPlan | undefined,
    groups: Groups,
  ): AsyncGenerator<Selected<Points | Windows>, void, undefined> {
    this.#parts.assertOpen();
    throwIfAborted(request.signal);
    const pool = plan === undefined ? undefined : new AggregatorPool(plan);
    const names = plan === undefined ? [] : namesOf(plan);
    const scheduler = new ReadScheduler(request.signal);
    const range = plan === undefined ? this.#source.range(request) : this.#source.windows(request, plan);
    const { isOneWindow }: Partial<WindowRange> = range;
    for await (const group of groups(scheduler)) {
      // In reverse order only a part of a metric's windows may be needed.
      const prefetch = () => (plan?.reverse ? undefined : this.#parts.sealed.prefetch?.(group, range, isOneWindow));
      const ahead = new ReadAhead(scheduler, prefetch);
      for (const metric of group) {
        throwIfAborted(request.signal);
        const find = () => this.#parts.registry.find(metric) ?? this.find(metric);
        const points =
          plan === undefined
            ? new PointRows(() => this.#points(find, request, ahead))
            : new WindowRows(() => this.#windows(find, request, plan, pool, ahead), names);
        yield { metric, points };
      }
    }
  }

  async *#batches(
    request: ReadRequest,
    plan: WindowPlan | undefined,
    groups: Groups,
  ): AsyncGenerator<SelectedPoints | SelectedWindows, void, undefined> {
    const parts = this.#started(request, groups);
    yield* plan === undefined ? pointBatches(parts, request, this.#unit) : windowBatches(parts, request, plan);
  }

  async *#blocks(request: ReadRequest, groups: Groups): AsyncGenerator<SelectedBlock, void, undefined> {
    yield* blockBatches(this.#started(request, groups), request, this.#unit);
  }

  #started(request: ReadRequest, groups: Groups): SelectParts {
    this.#parts.assertOpen();
    throwIfAborted(request.signal);
    const { registry, sealed } = this.#parts;
    const scheduler = new ReadScheduler(request.signal);
    const assertOpen = () => this.#parts.assertOpen();
    return { registry, sealed, source: this.#source, scheduler, groups: groups(scheduler), assertOpen };
  }

  async last(ref: MetricRef): Promise<Point | undefined> {
    this.#parts.assertOpen();
    const ready = this.#eventLoop.beforeRead();
    if (ready !== undefined) await ready;
    const metric = this.#parts.registry.find(ref) ?? (await this.find(ref));
    if (metric === undefined) return undefined;
    const soon = this.#source.last(metric);
    const last = soon instanceof Promise ? await soon : soon;
    if (last === null) return undefined;
    if (last !== undefined)
      return { timestamp: last.time / this.#unit, value: newestValue(last, metric.type === "int64") };
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
    const tag = key === NAME_LABEL ? "" : checkedTag(key);
    return await this.#metrics.tagValues(tag, compileMatch(match), new ReadScheduler(undefined));
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

  /** Returns the time before which the points of a metric are beyond its retention. */
  visible(metric: RegisteredMetric): number {
    return this.#source.visible(metric);
  }

  async *#points(
    find: () => Found | Promise<Found>,
    request: ReadRequest,
    ahead?: ReadAhead,
  ): AsyncGenerator<PointBatch, void, undefined> {
    this.#parts.assertOpen();
    throwIfAborted(request.signal);
    const reading = ahead?.ready() ?? this.#eventLoop.beforeRead();
    if (reading !== undefined) await reading;
    const found = find();
    const metric = found instanceof Promise ? await found : found;
    const { reverse, limit, signal } = request;
    if (metric === undefined || limit === 0) return;
    const memory = this.#source.takeMemory();
    const scheduler = ahead?.scheduler ?? new ReadScheduler(signal);
    const scan = this.#source.scan({ metric, ...this.#source.range(request), reverse, scheduler }, memory);
    let left = limit;
    // No second generator: each of its values would pass through two more promises.
    while (left > 0) {
      const next = scan.next();
      const run = next instanceof Promise ? await next : next;
      if (run === undefined) break;
      const batch = batchOf(run, metric.type === "int64", reverse, left, this.#unit, memory);
      yield batch;
      left -= batch.length;
      this.#parts.assertOpen();
      const pause = scheduler.pause();
      if (pause !== undefined) await pause;
    }
    // Not after an interrupted loop: its last batch may still be in use.
    this.#source.release(memory);
  }

  #windows(
    find: () => Found | Promise<Found>,
    request: ReadRequest,
    plan: WindowPlan,
    pool?: AggregatorPool,
    ahead?: ReadAhead,
  ): AsyncGenerator<WindowBatch, void, undefined> {
    const assertOpen = () => this.#parts.assertOpen();
    const scheduler = ahead?.scheduler ?? new ReadScheduler(request.signal);
    const start = () => {
      assertOpen();
      throwIfAborted(request.signal);
      const reading = ahead?.ready() ?? this.#eventLoop.beforeRead();
      return reading === undefined ? find() : reading.then(find);
    };
    return windowBatchesOf(start, { plan, request, source: this.#source, scheduler, assertOpen }, pool);
  }
}

/** Reads the metrics of a selection in groups. */
type Groups = (scheduler: ReadScheduler) => AsyncIterable<readonly RegisteredMetric[]>;

function newestValue({ values, at }: Newest, isInt64: boolean): number | bigint {
  return isInt64 ? new BigInt64Array(values.words.buffer, 8 * at, 1)[0]! : values.floats[at]!;
}

function namesOf({ aggregates }: WindowPlan): WindowPlan["aggregates"][number]["name"][] {
  return aggregates.map(({ name }) => name);
}
