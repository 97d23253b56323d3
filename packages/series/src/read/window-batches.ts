/** Reads the windows of one metric. */
import type { WindowBatch } from "../api.js";
import type { Soon } from "../blocks/block.js";
import type { RegisteredMetric } from "../registry/registered-metric.js";
import { WindowAggregator } from "../window/aggregator.js";
import type { WindowOutput } from "../window/output.js";
import type { WindowPlan } from "../window/plan.js";
import { type MetricSource, needsBase, oneWindow } from "./metric-source.js";
import type { AggregatorPool } from "./read-ahead.js";
import type { ReadScheduler } from "./read-scheduler.js";
import type { ReadRequest } from "./request.js";

/** Maximum number of windows that a read in reverse order computes at once, after the first few. */
const MAX_SLICE = 256;

/** How windows are read. */
export interface WindowReading {
  readonly plan: WindowPlan;
  readonly request: ReadRequest;
  readonly source: MetricSource;
  readonly scheduler: ReadScheduler;
  /** Throws if the store is closed. */
  assertOpen(): void;
}

/**
 * Returns the windows of a metric, or, without one, those that `fill` adds. `start` finds the metric; it is called when the first batch is
 * read.
 */
export async function* windowBatchesOf(
  start: () => Soon<RegisteredMetric | undefined>,
  reading: WindowReading,
  pool?: AggregatorPool,
): AsyncGenerator<WindowBatch, void, undefined> {
  const { plan, scheduler } = reading;
  const found = start();
  const metric = found instanceof Promise ? await found : found;
  const isInt64 = metric?.type === "int64";
  const aggregator = pool?.take(isInt64) ?? new WindowAggregator(plan, isInt64);
  if (metric !== undefined && plan.reverse) {
    for await (const _ of reverseWindows(metric, reading, aggregator.output)) {
      yield aggregator.batch();
      aggregator.clear();
    }
  } else if (metric !== undefined) {
    const { request, source, assertOpen } = reading;
    const range = source.windows(request, plan);
    const memory = source.takeMemory();
    const scan = source.scan({ metric, ...range, reverse: false, scheduler }, memory);
    if (needsBase(plan, range)) await source.startAfter(aggregator, metric, range.from, scheduler);
    while (!aggregator.isDone) {
      const next = scan.next();
      const run = next instanceof Promise ? await next : next;
      if (run === undefined) break;
      for (let i = run.from; (i = aggregator.addRun(run, i)) < run.to; aggregator.clear()) {
        yield aggregator.batch();
        const pause = scheduler.pause();
        if (pause !== undefined) await pause;
      }
      assertOpen();
      const pause = scheduler.pause();
      if (pause !== undefined) await pause;
    }
    source.release(memory);
  }
  for (let isDone = false; !isDone; aggregator.clear()) {
    isDone = aggregator.end();
    if (aggregator.length > 0) yield aggregator.batch();
    const pause = scheduler.pause();
    if (pause !== undefined) await pause;
  }
  // Not after an interrupted loop: its last batch may still be in use.
  pool?.give(aggregator, isInt64);
}

/**
 * Adds the windows of a metric to an output, the newest first. Yields whenever the output is full: the caller must then clear it. Windows are
 * computed in slices of time, each by ascending time: one window, then more, so that little is read for few of them.
 */
export async function* reverseWindows(
  metric: RegisteredMetric,
  { plan, request, source, scheduler, assertOpen }: WindowReading,
  output: WindowOutput,
): AsyncGenerator<void, void, undefined> {
  const range = source.windows(request, plan);
  const { need } = range;
  const forwards: WindowPlan = { ...plan, fill: "none", limit: Number.POSITIVE_INFINITY, reverse: false };
  const slice = new WindowAggregator(forwards, metric.type === "int64", MAX_SLICE, MAX_SLICE);
  const memory = source.takeMemory();
  let { to } = range;
  for (let count = 1; output.left > 0; count = Math.min(4 * count, MAX_SLICE, output.left)) {
    const newest = await source.newest(metric, { from: range.from, to }, scheduler, need);
    if (newest === undefined) break;
    // The end of a window, since summaries have whole ones.
    const end = Math.min(to, plan.grid.endOf(plan.grid.startOf(newest)));
    const part = { from: Math.max(startBefore(newest, count, range.from, plan), range.from), to: end };
    slice.next();
    if (needsBase(plan, part)) await source.startAfter(slice, metric, part.from, scheduler);
    const isOneWindow = oneWindow(forwards, part);
    const scan = source.scan({ metric, ...part, reverse: false, scheduler, isOneWindow, need }, memory);
    for (let run = await scan.next(); run !== undefined; run = await scan.next()) {
      slice.addRun(run, run.from);
      await scheduler.pause();
      assertOpen();
    }
    slice.end();
    for (let row = slice.length - 1; row >= 0; row--) {
      const { start, source: values } = slice.output.row(row);
      while (!output.put(start, values)) {
        yield;
        await scheduler.pause();
        assertOpen();
      }
    }
    slice.clear();
    to = part.from;
  }
  source.release(memory);
}

/** Returns the start of the window `count - 1` windows before the one of a time, or of one that starts before `from`. */
function startBefore(time: number, count: number, from: number, { grid }: WindowPlan): number {
  let start = grid.startOf(time);
  for (let i = 1; i < count && start > from; i++) start = grid.startOf(start - 1);
  return start;
}
