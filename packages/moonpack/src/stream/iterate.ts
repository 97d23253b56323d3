import type { BytesInput } from "../bytes/input.js";
import { aborted, type ChunkSource } from "./source.js";

/** Turns chunks into values. */
export interface ChunkDecoder<T> extends Iterable<T> {
  /** Takes the next chunk. Iterate to read the values that are now complete. */
  push(chunk: BytesInput): unknown;
  /** Ends the input. Throws if it ends inside a value. */
  end(): void;
  /** Bytes that were pushed and not read yet. */
  readonly left: number;
}

/** The state of an iterator until it ends. */
interface Work<T> {
  readonly chunks: ChunkSource;
  readonly decoder: ChunkDecoder<T>;
  readonly values: Iterator<T>;
}

/**
 * Iterates over the values of a source. Not an async generator: that takes 390 ns per value instead of 220, and its `return` waits
 * for the previous `next`, and so for a source that hangs.
 */
export class ValueIterator<T> implements AsyncIterableIterator<T> {
  /** Null after the end and after an abort: an iterator that is still referenced holds no bytes then. */
  #work: Work<T> | null;
  readonly #signal: AbortSignal | null;
  /** Settles with the last call that has to wait; later calls wait for it. */
  #pending: Promise<unknown> | null = null;
  #isOver = false;

  constructor(chunks: ChunkSource, signal: AbortSignal | null, decoder: ChunkDecoder<T>) {
    this.#work = { chunks, decoder, values: decoder[Symbol.iterator]() };
    this.#signal = signal;
    signal?.addEventListener("abort", this.#release, { once: true });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<T, undefined>> {
    return this.#pending === null ? this.#step() : this.#track(this.#pending.then(() => this.#step()));
  }

  #step(): Promise<IteratorResult<T, undefined>> {
    if (this.#isOver) return Promise.resolve({ done: true, value: undefined });
    try {
      const result = this.#open().values.next();
      if (result.done !== true) return Promise.resolve(result);
    } catch (error) {
      return this.#fail(error);
    }
    const fetched = this.#fetch();
    if (this.#pending === null) this.#track(fetched);
    return fetched;
  }

  /** Returns the source and the decoder; throws after an abort. */
  #open(): Work<T> {
    const signal = this.#signal;
    if (signal?.aborted === true) throw aborted(signal);
    return this.#work!;
  }

  /** Reads chunks until a value is complete. */
  async #fetch(): Promise<IteratorResult<T, undefined>> {
    try {
      for (;;) {
        const chunk = await this.#open().chunks.next();
        if (this.#isOver) break;
        const { decoder, values } = this.#open();
        if (chunk === null) {
          decoder.end();
          this.#end();
          break;
        }
        decoder.push(chunk);
        const result = values.next();
        if (result.done !== true) return result;
      }
    } catch (error) {
      // Already closed: the source's error is ignored.
      if (!this.#isOver) return this.#fail(error);
    }
    return { done: true, value: undefined };
  }

  /** Returns true if any byte follows the values that were taken. Reads chunks until that is known. */
  async hasMoreBytes(): Promise<boolean> {
    try {
      const { chunks, decoder } = this.#open();
      if (decoder.left > 0) return true;
      for (let chunk = await chunks.next(); chunk !== null; chunk = await chunks.next()) {
        if (chunk.byteLength > 0) return true;
      }
      this.#end();
      return false;
    } catch (error) {
      return this.#fail(error);
    }
  }

  #release = (): void => {
    this.#signal?.removeEventListener("abort", this.#release);
    this.#work = null;
  };

  /** Ends the iterator. Returns the source, unless it is closed already. */
  #end(): ChunkSource | undefined {
    const chunks = this.#work?.chunks;
    this.#isOver = true;
    this.#release();
    return chunks;
  }

  async #fail(error: unknown): Promise<never> {
    // Not awaited: a source that hangs, or fails again, must not delay the error.
    this.#end()
      ?.close(error)
      .catch(() => undefined);
    throw error;
  }

  /** Closes the source. Rejects with a failure that the source had before, as a ReadableStream does. */
  async return(): Promise<IteratorResult<T, undefined>> {
    if (!this.#isOver) await this.#end()?.close();
    return { done: true, value: undefined };
  }

  /** Makes later calls wait for this one. */
  #track<R>(call: Promise<R>): Promise<R> {
    const over = () => {
      if (this.#pending === settled) this.#pending = null;
    };
    const settled = call.then(over, over);
    this.#pending = settled;
    return call;
  }
}
