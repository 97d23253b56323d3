/**
 * Cooperative scheduling of reads: a read yields to the event loop every few milliseconds, even if all its data is in memory, and ends when
 * its signal aborts.
 */
import { MoonpackError } from "moonpack/bytes";
import type { IndexSource } from "../select/index-source.js";
import { TimeSlices } from "../store/time-slices.js";

/** Maximum milliseconds of work before a read yields, and looks at its signal. */
const SLICE = 4;

/** Schedules one read, including all its parts. */
export class ReadScheduler {
  readonly #signal: AbortSignal | undefined;
  /** Undefined before the first `pause`: a short read does not need a clock. */
  #slices: TimeSlices | undefined;

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
  }

  /** Throws `ERR_ABORTED` if the caller has aborted the read. */
  check(): void {
    throwIfAborted(this.#signal);
  }

  /** Returns a promise if the read must yield. Must be called between parts of the work. Throws like {@link check}. */
  pause(): Promise<void> | undefined {
    this.check();
    if (this.#slices === undefined) {
      this.#slices = new TimeSlices(Number.POSITIVE_INFINITY, SLICE);
      return undefined;
    }
    return this.#slices.pause()?.then(() => this.check());
  }

  /** Wraps a store, so that its reads yield to the event loop. */
  sourceOf(store: IndexSource): IndexSource {
    return {
      getMany: async (column, keys) => {
        const values = await store.getMany(column, keys);
        await this.pause();
        return values;
      },
      range: (column, from, to, options) => this.#pieces(store.range(column, from, to, options)),
      pause: () => this.pause(),
    };
  }

  async *#pieces<T>(pieces: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
    for await (const piece of pieces) {
      yield piece;
      await this.pause();
    }
  }
}

/** Throws `ERR_ABORTED` if a read was aborted. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new MoonpackError("ERR_ABORTED", "the read was aborted", signal.reason);
}
