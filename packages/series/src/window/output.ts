/** The rows of windows in the order of a query: limits them, and adds windows without points. */
import type { WindowBatch } from "../api.js";
import { SeriesError } from "../errors.js";
import { copyValue } from "../page/values.js";
import { type RowTarget, WindowColumns } from "./columns.js";
import { MAX_FILLED, type WindowPlan } from "./plan.js";
import { interpolate, SavedRow } from "./saved-row.js";

/** A window with points. */
export interface RowSource {
  /** Writes the aggregates into a row. */
  write(target: RowTarget, row: number): void;
}

/** A row of columns. */
export interface OutputRow {
  /** The start of the window, in milliseconds. */
  readonly start: number;
  readonly source: RowSource;
}

/** Collects the windows of a metric, then of the next one. When the columns are full, {@link batch} takes their rows. */
export class WindowOutput {
  readonly #plan: WindowPlan;
  readonly #isInt64: boolean;
  readonly #columns: WindowColumns;
  /** The window with points before a gap, in the order of rows. */
  readonly #base: SavedRow;
  /** The window with points after it. */
  readonly #ahead: SavedRow;
  /** The next window in the order of rows; NaN if it is not known. */
  #next = Number.NaN;
  /** The last window with points; NaN before the first. */
  #last = Number.NaN;
  /** True if #base is the last window with points. */
  #isSaved = false;
  /** True if #ahead is the window that is being added. */
  #isAhead = false;
  #left = 0;
  #filled = 0;

  /** `maxRows` is the maximum number of windows in a batch, `firstRows` that of the first one. */
  constructor(plan: WindowPlan, isInt64: boolean, maxRows?: number, firstRows?: number) {
    this.#plan = plan;
    this.#isInt64 = isInt64;
    this.#columns = new WindowColumns(plan, isInt64, maxRows, firstRows);
    this.#base = new SavedRow(plan);
    this.#ahead = new SavedRow(plan);
    this.begin();
  }

  /** Starts a metric. The windows in the columns stay there. */
  begin(): void {
    const { fill, from, to, reverse, grid } = this.#plan;
    const edge = reverse ? to && to - 1 : from;
    const isFilled = fill !== "none" && edge !== undefined && (from ?? 0) < (to ?? Infinity);
    this.#next = isFilled ? grid.startOf(edge) : Number.NaN;
    this.#last = Number.NaN;
    this.#isSaved = false;
    this.#isAhead = false;
    this.#left = this.#plan.limit;
    this.#filled = 0;
  }

  /** Number of windows in the columns. */
  get length(): number {
    return this.#columns.length;
  }

  /** Maximum number of windows that the metric may still get. */
  get left(): number {
    return this.#left;
  }

  /** Returns the windows since {@link clear}, which reuses their memory. */
  batch(): WindowBatch {
    return this.#columns.batch();
  }

  /** Returns a row of the columns, valid until {@link clear}. */
  row(row: number): OutputRow {
    const columns = this.#columns;
    const source: RowSource = {
      write(target, to) {
        for (let k = 0; k < columns.values.length; k++) {
          if (columns.isNull(k, row)) target.setNull(k, to);
          else copyValue(columns.values[k]!, row, target.values[k]!, to);
        }
      },
    };
    return { start: columns.starts[row]! * this.#plan.unitMs, source };
  }

  /** Removes all windows from the columns. */
  clear(): void {
    this.#saveLast();
    this.#columns.clear();
  }

  /** Adds a window with points, and those without points before it. Returns false if the columns are full before that. */
  put(start: number, source: RowSource): boolean {
    const columns = this.#columns;
    if (this.#plan.fill !== "none" && this.#isBefore(this.#next, start)) {
      if (this.#needsAhead && !this.#isAhead) {
        this.#ahead.clear(start);
        source.write(this.#ahead, 0);
        this.#isAhead = true;
      }
      if (!this.#fillUntil(start)) return false;
    }
    if (this.#left === 0) return true;
    if (columns.isFull) return false;
    const row = columns.add(start);
    if (this.#isAhead) this.#ahead.store(columns, row);
    else source.write(columns, row);
    this.#isAhead = false;
    this.#isSaved = false;
    this.#last = start;
    if (this.#plan.fill !== "none") this.#next = this.#after(start);
    this.#left--;
    return true;
  }

  /** Adds the windows without points up to the end of the range. Returns false if the columns are full before that. */
  finish(): boolean {
    const { fill, from, to, reverse, grid } = this.#plan;
    const edge = reverse ? from : to && to - 1;
    if (fill === "none" || edge === undefined) return true;
    return this.#fillUntil(this.#after(grid.startOf(edge)));
  }

  /** Adds windows without points, up to `end` in the order of rows. Returns false if the columns are full before that. */
  #fillUntil(end: number): boolean {
    if (!this.#isBefore(this.#next, end)) return true;
    this.#saveLast();
    this.#check(end);
    for (; this.#left > 0 && this.#isBefore(this.#next, end); this.#next = this.#after(this.#next)) {
      if (this.#columns.isFull) return false;
      this.#addFilled(this.#next);
      this.#left--;
      this.#filled++;
    }
    return true;
  }

  #check(end: number): void {
    const windows = this.#filled + Math.min(this.#left, Math.abs(end - this.#next) / this.#plan.grid.length);
    if (windows > MAX_FILLED) throw tooManyFilled();
  }

  #addFilled(start: number): void {
    const { fill, reverse } = this.#plan;
    const columns = this.#columns;
    const row = columns.add(start);
    const hasBase = !Number.isNaN(this.#last);
    const earlier = reverse ? this.#ahead : this.#base;
    const later = reverse ? this.#base : this.#ahead;
    if (fill === "linear" && hasBase && this.#isAhead)
      interpolate(columns, row, start, this.#plan, this.#isInt64, earlier, later);
    else if (fill === "previous" && (reverse ? this.#isAhead : hasBase)) earlier.store(columns, row);
    else columns.setEmpty(row);
  }

  /** Keeps the last window with points, before other rows follow it. */
  #saveLast(): void {
    if (this.#isSaved || Number.isNaN(this.#last) || this.#columns.length === 0) return;
    this.#isSaved = true;
    if (this.#plan.fill === "previous" || this.#plan.fill === "linear")
      this.#base.load(this.#columns, this.#columns.length - 1, this.#last);
  }

  /** True if values of windows without points depend on the next window in the order of rows. */
  get #needsAhead(): boolean {
    const { fill, reverse } = this.#plan;
    return fill === "linear" || (fill === "previous" && reverse);
  }

  #isBefore(a: number, b: number): boolean {
    return this.#plan.reverse ? a > b : a < b;
  }

  /** Returns the start of the window after another one, in the order of rows. */
  #after(start: number): number {
    const { grid, reverse } = this.#plan;
    return reverse ? grid.startOf(start - 1) : grid.endOf(start);
  }
}

/** Returns the error for a query that would fill too many windows. */
export function tooManyFilled(): SeriesError {
  return new SeriesError(
    "ERR_SERIES_LIMIT",
    `fill would add more than ${MAX_FILLED} windows of a metric: choose a shorter range, longer windows or a limit`,
  );
}
