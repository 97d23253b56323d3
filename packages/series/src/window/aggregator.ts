/**
 * Groups points into half-open windows, aligned to the plan's origin. Input and output are batches by ascending time. A search over the times
 * finds the end of each window, then each group of aggregates loops over the window's values.
 */
import type { WindowBatch } from "../api.js";
import type { Run } from "../blocks/run.js";
import type { RowTarget } from "./columns.js";
import { FloatWindow } from "./float-window.js";
import { Int64Window } from "./int64-window.js";
import { type RowSource, WindowOutput } from "./output.js";
import type { WindowPlan } from "./plan.js";
import { needsOf, type PointValues, type WindowState } from "./state.js";

/**
 * Computes the windows of a metric, then of the next one, as rows of columns. All points must be within the plan's range. When the columns
 * are full, {@link batch} takes their rows, and {@link clear} makes room.
 *
 * @example
 * for (let i = from; (i = aggregator.add(times, values, i, to)) < to; aggregator.clear()) yield aggregator.batch();
 */
export class WindowAggregator implements RowSource {
  readonly #plan: WindowPlan;
  readonly #state: WindowState;
  /** The rows. */
  readonly output: WindowOutput;
  /** True if the window from #start has points, but is not yet in the output. */
  #isOpen = false;
  #start = Number.NaN;
  /** The end of the last window; NaN before the first. */
  #end = Number.NaN;
  /** Number of points of the last window: the next one often has the same number. */
  #run = 1;

  /** `maxRows` is the maximum number of windows in a batch, `firstRows` that of the first one. */
  constructor(plan: WindowPlan, isInt64: boolean, maxRows?: number, firstRows?: number) {
    this.#plan = plan;
    this.#state = isInt64 ? new Int64Window(needsOf(plan)) : new FloatWindow(needsOf(plan));
    this.output = new WindowOutput(plan, isInt64, maxRows, firstRows);
  }

  /** Number of windows in the columns. */
  get length(): number {
    return this.output.length;
  }

  /** True if the metric has its maximum number of windows. */
  get isDone(): boolean {
    return this.output.left === 0;
  }

  /** Starts another metric of the same type. The windows in the columns stay there. */
  next(): void {
    this.#state.restart();
    this.output.begin();
    this.#isOpen = false;
    this.#end = Number.NaN;
  }

  /** Returns the windows since {@link clear}, which reuses their memory. */
  batch(): WindowBatch {
    return this.output.batch();
  }

  /** Removes all windows from the columns. */
  clear(): void {
    this.output.clear();
  }

  /**
   * Sets the last point before the range, value `i`, as the base of `increase`. Must be called before {@link add}. NaN is ignored.
   */
  startAfter(values: PointValues, i: number): void {
    this.#state.startAfter(values, i);
  }

  /**
   * Adds the points from `i` (inclusive) to `to` (exclusive). Times are milliseconds. Returns the position of the first point that was not
   * added because the columns are full; `to` if all were added, or if no more are needed.
   */
  add(timestamps: Float64Array, values: PointValues, i: number, to: number): number {
    while (i < to) {
      if (!this.#openAt(timestamps[i]!)) return i;
      if (this.isDone) return to;
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
    return this.#close() && this.output.finish();
  }

  /** Writes the aggregates of the open window. */
  write(target: RowTarget, row: number): void {
    this.#state.write(target, row, (this.#end - this.#start) / 1000);
  }

  /** Opens the window of a time. Returns false if the columns are full before that. */
  #openAt(time: number): boolean {
    if (this.#isOpen && time < this.#end) return true;
    if (!this.#close()) return false;
    const { grid } = this.#plan;
    // It is usually the window after the last one, which needs no division.
    const next = this.#end;
    const end = time >= next ? grid.endOf(next) : next;
    this.#start = time >= next && time < end ? next : grid.startOf(time);
    this.#end = this.#start === next ? end : grid.endOf(this.#start);
    this.#isOpen = true;
    return true;
  }

  /** Adds the open window to the output. Returns false if the columns are full before that. */
  #close(): boolean {
    if (!this.#isOpen) return true;
    if (!this.output.put(this.#start, this)) return false;
    this.#state.clear();
    this.#isOpen = false;
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
