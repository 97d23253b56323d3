/** Shares time with the event loop, and ends queries that were aborted or are too late. */
import { MoonpackError } from "moonpack/bytes";
import { PrometheusError } from "../errors.js";

/** The longest time without a turn of the event loop, in milliseconds. */
const SLICE_MS = 4;
/** Units of work, such as samples, between two readings of the clock: well below a millisecond. */
export const WORK_UNITS = 1 << 15;
/** The work of building and looking up the labels of a series. */
export const LABEL_WORK = 64;
/** The work of comparing two labels or texts. */
const COMPARE_WORK = 16;
/** Items that the sort of the engine puts in order at once: about 2,000 comparisons. */
const SORTED_AT_ONCE = 256;

/** The clock of a query. */
export class Pace {
  readonly #signal: AbortSignal | undefined;
  #deadline: number;
  readonly #timeout: number;
  #sliceEnd: number;
  #work = 0;

  constructor(signal: AbortSignal | undefined, timeout: number) {
    const now = performance.now();
    this.#signal = signal;
    this.#timeout = timeout;
    this.#deadline = now + timeout;
    this.#sliceEnd = now + SLICE_MS;
  }

  /** Counts work. Returns a promise to wait for, if the event loop must have a turn; it rejects if the query must end. */
  spend(work: number): Promise<void> | undefined {
    this.#work += work;
    if (this.#work < WORK_UNITS) return undefined;
    this.#work = 0;
    return performance.now() < this.#sliceEnd ? undefined : this.#rest();
  }

  /** Calls `visit` for each item, which is `work` units of work, and waits where the event loop must have a turn. */
  async each<T>(items: Iterable<T>, work: number, visit: (item: T) => void): Promise<void> {
    for (const item of items) {
      visit(item);
      const wait = this.spend(work);
      if (wait !== undefined) await wait;
    }
  }

  /** Calls `visit` for the slices of a range of indices: one call for a short range. Waits where the event loop must have a turn. */
  slices(length: number, visit: (from: number, to: number) => void): Promise<void> | undefined {
    if (length > WORK_UNITS) return this.#slices(length, visit);
    visit(0, length);
    return this.spend(length);
  }

  /** Returns items in order. Equal items keep theirs. A sort of the engine would take a second for the labels of 100,000 series. */
  async sort<T>(items: readonly T[], compare: (a: T, b: T) => number): Promise<T[]> {
    const { length } = items;
    let sorted: T[] = [];
    for (let at = 0; at < length; at += SORTED_AT_ONCE) {
      for (const item of items.slice(at, at + SORTED_AT_ONCE).sort(compare)) sorted.push(item);
      await this.spend(WORK_UNITS);
    }
    for (let width = SORTED_AT_ONCE; width < length; width *= 2) {
      const merged: T[] = [];
      for (let low = 0; low < length; low += 2 * width) {
        const middle = Math.min(length, low + width);
        const high = Math.min(length, low + 2 * width);
        for (let a = low, b = middle; a < middle || b < high; ) {
          const isFirst = b === high || (a < middle && compare(sorted[a]!, sorted[b]!) <= 0);
          merged.push(isFirst ? sorted[a++]! : sorted[b++]!);
          const wait = this.spend(COMPARE_WORK);
          if (wait !== undefined) await wait;
        }
      }
      sorted = merged;
    }
    return sorted;
  }

  /** Throws `ERR_ABORTED` or `ERR_TIMEOUT` if the query must end. */
  check(): void {
    if (this.#signal?.aborted === true)
      throw new MoonpackError("ERR_ABORTED", "query was canceled in expression evaluation", this.#signal.reason);
    if (performance.now() <= this.#deadline) return;
    const text = `query timed out in expression evaluation after ${this.#timeout} ms`;
    throw new PrometheusError("ERR_TIMEOUT", text);
  }

  /** Ends the query: its deadline has come. */
  expire(): void {
    this.#deadline = Number.NEGATIVE_INFINITY;
  }

  async #slices(length: number, visit: (from: number, to: number) => void): Promise<void> {
    for (let from = 0; from < length; from += WORK_UNITS) {
      visit(from, Math.min(length, from + WORK_UNITS));
      await this.spend(WORK_UNITS);
    }
  }

  async #rest(): Promise<void> {
    this.check();
    await nextTurn();
    this.check();
    this.#sliceEnd = performance.now() + SLICE_MS;
  }
}

/** Resolves after a turn of the event loop. Some runtimes have no `setImmediate`. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof setImmediate === "function") setImmediate(resolve);
    else setTimeout(resolve, 0);
  });
}
