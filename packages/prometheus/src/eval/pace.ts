/** Shares time with the event loop, and ends queries that were aborted or are too late. */
import { MoonpackError } from "moonpack/bytes";
import { PrometheusError } from "../errors.js";

/** The longest time without a turn of the event loop, in milliseconds. */
const SLICE_MS = 4;
/** Units of work, such as samples, between two readings of the clock: well below a millisecond. */
export const WORK_UNITS = 1 << 15;
/** The work of building and looking up the labels of a series. */
export const LABEL_WORK = 64;

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
