/** Summarizes the points of one metric, window by window. */
import { firstAtLeast, type Run } from "../blocks/run.js";
import { Summaries } from "../blocks/summary.js";
import { Values64 } from "../page/values.js";
import { floorTo } from "../summarize/record.js";
import { COUNT, columnOf, NANS } from "../summarize/roles.js";

const FIRST_ROWS = 64;

/** The windows of a metric, by ascending start. */
export class SummaryRows {
  readonly #window: number;
  #isInt64 = false;
  length = 0;
  /** The starts of windows, in milliseconds. */
  starts = new Float64Array(FIRST_ROWS);
  #counts = new Values64(FIRST_ROWS);
  #summaries = new Summaries(FIRST_ROWS);

  constructor(window: number) {
    this.#window = window;
  }

  /** Removes all windows. */
  clear(isInt64: boolean): void {
    this.length = 0;
    this.#isInt64 = isInt64;
  }

  /** Number of points of a window. */
  count(row: number): number {
    return this.#counts.floats[row]!;
  }

  /** Adds points that follow the ones before. */
  add({ times, values, from, to }: Run): void {
    for (let i = from; i < to; ) {
      const start = floorTo(this.#window, times[i]!);
      const end = firstAtLeast(times, i, to, start + this.#window);
      const isFirst = this.length === 0 || this.starts[this.length - 1] !== start;
      if (isFirst) this.#append(start);
      const row = this.length - 1;
      this.#counts.floats[row]! += end - i;
      this.#summaries.add(row, values, i, end, this.#isInt64, isFirst);
      i = end;
    }
  }

  #append(start: number): void {
    const row = this.length++;
    if (row === this.starts.length) this.#grow();
    this.starts[row] = start;
    this.#counts.floats[row] = 0;
    this.#summaries.clear(row);
  }

  #grow(): void {
    const n = 2 * this.length;
    const { starts } = this;
    const [counts, summaries] = [this.#counts, this.#summaries];
    this.starts = new Float64Array(n);
    this.#counts = new Values64(n);
    this.#summaries = new Summaries(n);
    this.starts.set(starts);
    this.#counts.words.set(counts.words);
    this.#summaries.nans.set(summaries.nans);
    for (const name of COLUMNS) this.#summaries[name].words.set(summaries[name].words);
  }

  /** Returns a window whose sum is not finite, from a row on; -1 without one. The rounding errors are not known then. */
  infiniteFrom(row: number): number {
    const { sum, rest } = this.#summaries;
    for (; row < this.length; row++) if (!Number.isFinite(sum.floats[row]! + rest.floats[row]!)) return row;
    return -1;
  }

  /** Replaces the sum of a window. */
  setSum(row: number, [sum, rest]: readonly [sum: number, rest: number]): void {
    this.#summaries.sum.floats[row] = sum;
    this.#summaries.rest.floats[row] = rest;
  }

  /** Removes windows from a row on, except those for which a function returns true. */
  retain(first: number, isKept: (row: number) => boolean): void {
    let to = first;
    for (let row = first; row < this.length; row++) {
      if (!isKept(row)) continue;
      this.starts[to] = this.starts[row]!;
      this.#summaries.nans[to] = this.#summaries.nans[row]!;
      for (const { words } of [this.#counts, ...COLUMNS.map((name) => this.#summaries[name])])
        words.copyWithin(2 * to, 2 * row, 2 * row + 2);
      to++;
    }
    this.length = to;
  }

  /** The values of a role, one for each window. */
  values(role: number): Values64 {
    if (role === COUNT) return this.#counts;
    if (role !== NANS) return columnOf(this.#summaries, role)!;
    const nans = new Values64(this.length);
    nans.floats.set(this.#summaries.nans.subarray(0, this.length));
    return nans;
  }
}

const COLUMNS = ["min", "max", "sum", "rest", "first", "last"] as const;
