/**
 * The turns of a read: it lets the event loop go on every few milliseconds, also where all that it reads is in memory, and ends when
 * its signal says so.
 */
import { MoonpackError } from "moonpack/bytes";
import type { IndexSource } from "../select/index-source.js";
import { TimeSlices } from "../store/time-slices.js";

/** One read, with all that it does for its caller. */
export class ReadScheduler {
  readonly #signal: AbortSignal | undefined;
  /** Undefined before the first pause: a short read has none, and needs no clock. */
  #slices: TimeSlices | undefined;

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
  }

  /** Throws `ERR_ABORTED` if the caller has aborted the read. */
  check(): void {
    throwIfAborted(this.#signal);
  }

  /** To be called between pieces of work. Returns a promise when the event loop is to go on. Throws as {@link check}. */
  pause(): Promise<void> | undefined {
    this.check();
    if (this.#slices === undefined) {
      this.#slices = new TimeSlices();
      return undefined;
    }
    return this.#slices.pause()?.then(() => this.check());
  }

  /** A store whose reads take turns. */
  sourceOf(store: IndexSource): IndexSource {
    return {
      getMany: async (column, keys) => {
        const values = await store.getMany(column, keys);
        await this.pause();
        return values;
      },
      range: (column, from, to, options) => this.#pieces(store.range(column, from, to, options)),
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
