/**
 * Groups points into half-open windows, aligned to the plan's origin. Input and output are batches by ascending time. A search over the times
 * finds the end of each window, then each group of aggregates loops over the window's values.
 */
import type { WindowBatch } from "../api.js";
import type { SummedPoints } from "../blocks/summary-cursor.js";
import { WindowColumns } from "./columns.js";
import { FloatWindow } from "./float-window.js";
import { Int64Window } from "./int64-window.js";
import { type WindowPlan, windowStart } from "./plan.js";
import { needsOf, type PointValues, type WindowState } from "./state.js";

/**
 * Computes the windows of one metric. All points must be within the plan's range. A batch is valid until the generator's next step.
 *
 * @example
 * for await (const { timestamps, values, length } of batches) yield* aggregator.add(timestamps, values, 0, length);
 * yield* aggregator.end();
 */
export class WindowAggregator {
  readonly #plan: WindowPlan;
  readonly #state: WindowState;
  readonly #columns: WindowColumns;
  /** True if the window before #end has points, but is not yet in the columns. */
  #isOpen = false;
  /** The end of the last window, or the start of filling; NaN before the first window. */
  #end = Number.NaN;
  /** Number of points of the last window: the next one often has the same number. */
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

  /** Starts another metric of the same type, and reuses the memory of the previous one. */
  restart(): void {
    this.#state.restart();
    this.#columns.restart();
    this.#isOpen = false;
    this.#begin();
  }

  /**
   * Sets the last point before the range, value `i`, as the base of `increase`. Must be called before {@link add}. NaN is ignored.
   */
  startAfter(values: PointValues, i: number): void {
    this.#state.startAfter(values, i);
  }

  /** Adds the points from `i` (inclusive) to `to` (exclusive). Yields complete windows. Times are milliseconds. */
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

  /** Adds the summary of points, all of one window. Yields complete windows. */
  *addSummed(points: SummedPoints): Generator<WindowBatch, void, undefined> {
    if (!this.#isOpen || points.first >= this.#end) {
      const start = this.#startOf(points.first);
      while (!this.#closeUntil(start)) yield* this.#flush();
      this.#end = start + this.#plan.window;
      this.#isOpen = true;
    }
    this.#state.addSummed(points);
  }

  /** Yields the last window, and the windows that `fill` adds up to the end of the range. */
  *end(): Generator<WindowBatch, void, undefined> {
    const { fill, to, window } = this.#plan;
    const until = fill === "none" || to === undefined ? this.#end : windowStart(this.#plan, to - 1) + window;
    while (!this.#closeUntil(until)) yield* this.#flush();
    yield* this.#flush();
  }

  /** Returns the start of a time's window. It is usually the window after the last one, which needs no division. */
  #startOf(time: number): number {
    return time >= this.#end && time - this.#end < this.#plan.window ? this.#end : windowStart(this.#plan, time);
  }

  /** Adds the open window, and empty windows before `start`, to the columns. Returns false if the columns are full before that. */
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
 * Returns the position of the first time from `i` on that is not before `end`, at most `to`. `run` is an estimate of the number before it.
 * The time at `i` must be before `end`.
 */
function runEnd(times: Float64Array, i: number, to: number, end: number, run: number): number {
  if (times[to - 1]! < end) return to;
  const guess = i + run;
  if (guess < to && times[guess - 1]! < end && times[guess]! >= end) return guess;
  // Doubling steps: the time at `low` is before `end`, the time at `high` is not.
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
