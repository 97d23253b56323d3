/**
 * Groups points into half-open windows, aligned to the plan's origin. Input and output are batches by ascending time. A search over the times
 * finds the end of each window, then each group of aggregates loops over the window's values.
 */
import type { WindowBatch } from "../api.js";
import type { Run } from "../blocks/run.js";
import { WindowColumns } from "./columns.js";
import { FloatWindow } from "./float-window.js";
import { Int64Window } from "./int64-window.js";
import { type WindowPlan, windowStart } from "./plan.js";
import { needsOf, type PointValues, type WindowState } from "./state.js";

/**
 * Computes the windows of a metric, then of the next one, as rows of columns. All points must be within the plan's range. When the columns
 * are full, {@link batch} takes their rows, and {@link clear} makes room.
 *
 * @example
 * for (let i = from; (i = aggregator.add(times, values, i, to)) < to; aggregator.clear()) yield aggregator.batch();
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

  /** `maxRows` is the maximum number of windows in a batch. */
  constructor(plan: WindowPlan, isInt64: boolean, maxRows?: number) {
    this.#plan = plan;
    this.#state = isInt64 ? new Int64Window(needsOf(plan)) : new FloatWindow(needsOf(plan));
    this.#columns = new WindowColumns(plan, isInt64, maxRows);
    this.#begin();
  }

  #begin(): void {
    const { fill, from, to = Infinity } = this.#plan;
    this.#end = fill !== "none" && from !== undefined && from < to ? windowStart(this.#plan, from) : Number.NaN;
  }

  /** Number of windows in the columns. */
  get length(): number {
    return this.#columns.length;
  }

  /** Starts another metric of the same type. The windows in the columns stay there. */
  next(): void {
    this.#state.restart();
    this.#columns.next();
    this.#isOpen = false;
    this.#begin();
  }

  /** Returns the windows since {@link clear}, which reuses their memory. */
  batch(): WindowBatch {
    return this.#columns.batch();
  }

  /** Removes all windows from the columns. */
  clear(): void {
    this.#columns.clear();
  }

  /**
   * Sets the last point before the range, value `i`, as the base of `increase`. Must be called before {@link add}. NaN is ignored.
   */
  startAfter(values: PointValues, i: number): void {
    this.#state.startAfter(values, i);
  }

  /**
   * Adds the points from `i` (inclusive) to `to` (exclusive). Times are milliseconds. Returns the position of the first point that was not
   * added because the columns are full; `to` if all were added.
   */
  add(timestamps: Float64Array, values: PointValues, i: number, to: number): number {
    while (i < to) {
      if (!this.#openAt(timestamps[i]!)) return i;
      const end = runEnd(timestamps, i, to, this.#end, this.#run);
      this.#state.add(values, i, end);
      this.#run = end - i;
      i = end;
    }
    return to;
  }

  /** Adds the points of a run, or its summary, like {@link add}. */
  addRun({ times, values, to, summed }: Run, i: number): number {
    if (summed === undefined) return this.add(times, values, i, to);
    if (!this.#openAt(summed.first)) return i;
    this.#state.addSummed(summed);
    return to;
  }

  /** Adds the last window, and the windows that `fill` adds up to the end of the range. Returns false if the columns are full before that. */
  end(): boolean {
    const { fill, to, window } = this.#plan;
    return this.#closeUntil(fill === "none" || to === undefined ? this.#end : windowStart(this.#plan, to - 1) + window);
  }

  /** Opens the window of a time. Returns false if the columns are full before that. */
  #openAt(time: number): boolean {
    if (this.#isOpen && time < this.#end) return true;
    const start = this.#startOf(time);
    if (!this.#closeUntil(start)) return false;
    this.#end = start + this.#plan.window;
    this.#isOpen = true;
    return true;
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
