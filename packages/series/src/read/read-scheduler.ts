/**
 * Cooperative scheduling of reads: a read yields to the event loop every few milliseconds, even if all its data is in memory, and ends when
 * its signal aborts.
 */
import { MoonpackError } from "moonpack/bytes";
import type { TagIndex } from "../select/name-source.js";
import { TimeSlices } from "../store/time-slices.js";

/** Maximum milliseconds of work before a read yields, and looks at its signal. */
const SLICE = 4;

/** Schedules one read, including all its parts. */
export class ReadScheduler {
  readonly #signal: AbortSignal | undefined;
  #isBegun = false;
  /** Undefined before the second `pause`: a short read does not need a clock. */
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
    if (this.#slices !== undefined) return this.#slices.pause()?.then(() => this.check());
    if (this.#isBegun) this.#slices = new TimeSlices(Number.POSITIVE_INFINITY, SLICE);
    this.#isBegun = true;
    return undefined;
  }

  /** Wraps an index, so that its reads yield to the event loop. */
  indexOf(index: TagIndex): TagIndex {
    return {
      get: async (keys) => {
        const values = await index.get(keys);
        await this.pause();
        return values;
      },
      range: (from, to, keysOnly) => this.#pieces(index.range(from, to, keysOnly)),
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
