/**
 * Puts points into windows: half-open, aligned to the plan's origin. Points come in batches by ascending time, windows leave in
 * batches. One search over the times finds where each window ends, then each group of aggregates loops over the window's values.
 */
import type { WindowBatch } from "../api.js";
import type { SummedPoints } from "../blocks/summary-cursor.js";
import { WindowColumns } from "./columns.js";
import { FloatWindow } from "./float-window.js";
import { Int64Window } from "./int64-window.js";
import { type WindowPlan, windowStart } from "./plan.js";
import { needsOf, type PointValues, type WindowState } from "./state.js";

/**
 * Computes the windows of one metric. All points must lie within the plan's range. A batch is valid until the generator's next step.
 *
 * @example
 * for await (const { timestamps, values, length } of batches) yield* aggregator.add(timestamps, values, 0, length);
 * yield* aggregator.end();
 */
export class WindowAggregator {
  readonly #plan: WindowPlan;
  readonly #state: WindowState;
  readonly #columns: WindowColumns;
  /** True while there is a window with points that is not yet in the columns: the one before #end. */
  #isOpen = false;
  /** The end of the last window, or where filling begins; NaN before the first window. */
  #end = Number.NaN;
  /** Points of the last window: the next one often has as many. */
  #run = 1;

  constructor(plan: WindowPlan, isInt64: boolean) {
    this.#plan = plan;
    this.#state = isInt64 ? new Int64Window(needsOf(plan)) : new FloatWindow(needsOf(plan));
    this.#columns = new WindowColumns(plan, isInt64);
    this.#begin();
  }

  #begin(): void {
    const { fill, from, to = Infinity } = this.#plan;
    this.#end = fill !== "none" && from !== undefined && from < to ? windowStart(this.#plan, from) : Number.NaN;
  }

  /** Begins another metric of the same type, with the memory of the one before. */
  restart(): void {
    this.#state.restart();
    this.#columns.restart();
    this.#isOpen = false;
    this.#begin();
  }

  /**
   * Sets the last point before the range whose value is a number: `increase` goes on from value `i`. Call it before {@link add}. NaN
   * is ignored.
   */
  startAfter(values: PointValues, i: number): void {
    this.#state.startAfter(values, i);
  }

  /** Adds the points from `i` up to, and without, `to`. Yields windows that are complete. Times are milliseconds. */
  *add(timestamps: Float64Array, values: PointValues, i: number, to: number): Generator<WindowBatch, void, undefined> {
    while (i < to) {
      if (!this.#isOpen || timestamps[i]! >= this.#end) {
        const start = this.#startOf(timestamps[i]!);
        while (!this.#closeUntil(start)) yield* this.#flush();
        this.#end = start + this.#plan.window;
        this.#isOpen = true;
      }
      const end = runEnd(timestamps, i, to, this.#end, this.#run);
      this.#state.add(values, i, end);
      this.#run = end - i;
      i = end;
    }
  }

  /** Adds points of one window that are summed up. Yields windows that are complete. */
  *addSummed(points: SummedPoints): Generator<WindowBatch, void, undefined> {
    if (!this.#isOpen || points.first >= this.#end) {
      const start = this.#startOf(points.first);
      while (!this.#closeUntil(start)) yield* this.#flush();
      this.#end = start + this.#plan.window;
      this.#isOpen = true;
    }
    this.#state.addSummed(points);
  }

  /** Yields the rest of the windows: the last one, and those that `fill` adds up to the end of the range. */
  *end(): Generator<WindowBatch, void, undefined> {
    const { fill, to, window } = this.#plan;
    const until = fill === "none" || to === undefined ? this.#end : windowStart(this.#plan, to - 1) + window;
    while (!this.#closeUntil(until)) yield* this.#flush();
    yield* this.#flush();
  }

  /** The start of a time's window. Mostly it is the one after the last, which takes no division. */
  #startOf(time: number): number {
    return time >= this.#end && time - this.#end < this.#plan.window ? this.#end : windowStart(this.#plan, time);
  }

  /** Puts the open window, and the empty ones before `start`, into the columns. Returns false when they are full before that. */
  #closeUntil(start: number): boolean {
    const { window, fill } = this.#plan;
    const columns = this.#columns;
    if (this.#isOpen) {
      if (columns.isFull) return false;
      this.#state.write(columns, columns.add(this.#end - window));
      this.#state.clear();
      this.#isOpen = false;
    }
    if (fill === "none") return true;
    for (; this.#end < start; this.#end += window) {
      if (columns.isFull) return false;
      columns.addEmpty(this.#end);
    }
    return true;
  }

  *#flush(): Generator<WindowBatch, void, undefined> {
    const batch = this.#columns.batch();
    if (batch === undefined) return;
    yield batch;
    this.#columns.clear();
  }
}

/**
 * The position of the first time from `i` on that is not before `end`, at most `to`. `run` is a guess of how many are before it.
 * The time at `i` is before `end`.
 */
function runEnd(times: Float64Array, i: number, to: number, end: number, run: number): number {
  if (times[to - 1]! < end) return to;
  const guess = i + run;
  if (guess < to && times[guess - 1]! < end && times[guess]! >= end) return guess;
  // Steps that double: the time at `low` is before `end`, the one at `high` is not.
  let low = i;
  let high = i + 1;
  for (let step = 1; high < to && times[high]! < end; high = low + step) {
    low = high;
    step *= 2;
  }
  high = Math.min(high, to - 1);
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle]! < end) low = middle;
    else high = middle;
  }
  return high;
}
