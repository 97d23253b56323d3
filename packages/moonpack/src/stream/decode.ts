import { DecodeError } from "../bytes/errors.js";
import { emptyInput } from "../bytes/input.js";
import type { DecoderOptions } from "../msgpack/options.js";
import { StreamDecoder } from "./decoder.js";
import { aborted, type ByteSource, type Chunks, openSource, signalOption } from "./source.js";

/** Options of the functions that decode a source. */
export interface DecodeSourceOptions extends DecoderOptions {
  /** Ends the work with `ERR_ABORTED` (its reason is the `cause`) and cancels the source. */
  readonly signal?: AbortSignal;
}

/**
 * Decodes the messages of a source, one after the other. The source is read no faster than you take values; leaving the
 * loop early, an error and the signal cancel it. A source that fails ends the loop with its own error.
 *
 * `ERR_TRUNCATED` when it ends inside a message; every `DecodeError` has its offset in the whole stream.
 *
 * @example
 * for await (const value of decodeStream(await fetch(url))) console.log(value);
 */
export function decodeStream<T = unknown>(source: ByteSource, options?: DecodeSourceOptions): AsyncIterableIterator<T> {
  return new Values<T>(source, options, new StreamDecoder<T>(options));
}

/**
 * Decodes one huge array, or one huge map, piece by piece: yields the elements, or the pairs `[key, value]`, as they come;
 * nothing is kept of those before. Errors as `decodeStream`; `ERR_UNSUPPORTED_TYPE` for a message that is neither, and
 * `ERR_TRAILING_BYTES` for bytes after it. Duplicate keys come as they are, unless `strict`.
 *
 * @example
 * for await (const record of decodeArrayStream(createReadStream("records.msgpack"))) insert(record);
 */
export function decodeArrayStream<T = unknown>(
  source: ByteSource,
  options?: DecodeSourceOptions,
): AsyncIterableIterator<T> {
  return new Values<T>(source, options, new StreamDecoder<T>(options, true));
}

/**
 * Decodes the one value that the whole source is. `ERR_TRUNCATED`, `ERR_TRAILING_BYTES` and the others as `decode`.
 *
 * @example
 * const value = await decodeAsync(await fetch(url));
 */
export async function decodeAsync<T = unknown>(source: ByteSource, options?: DecodeSourceOptions): Promise<T> {
  const decoder = new StreamDecoder<T>(options);
  const values = new Values<T>(source, options, decoder);
  const { done, value } = await values.next();
  if (done === true) throw emptyInput();
  const { offset } = decoder;
  if (await values.more()) {
    values.return().catch(() => undefined); // not awaited: a source that hangs, or fails, must not keep the error back
    throw new DecodeError("ERR_TRAILING_BYTES", "bytes after the value", offset);
  }
  return value;
}

/** Values of a source. By hand: a generator takes 390 ns for each value, this 220. */
class Values<T> implements AsyncIterableIterator<T> {
  readonly #chunks: Chunks;
  readonly #decoder: StreamDecoder<T>;
  readonly #signal: AbortSignal | null;
  readonly #values: Iterator<T>;
  /** The last call that had to wait; those after it wait for it. */
  #waiting: Promise<unknown> | null = null;
  #isOver = false;

  constructor(source: ByteSource, options: DecodeSourceOptions | undefined, decoder: StreamDecoder<T>) {
    this.#signal = signalOption(options);
    this.#chunks = openSource(source, this.#signal, options?.binary !== "view");
    this.#decoder = decoder;
    this.#values = decoder[Symbol.iterator]();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<T, undefined>> {
    return this.#waiting === null ? this.#step() : this.#hold(this.#waiting.then(() => this.#step()));
  }

  #step(): Promise<IteratorResult<T, undefined>> {
    if (this.#isOver) return Promise.resolve({ done: true, value: undefined });
    try {
      if (this.#signal?.aborted === true) throw aborted(this.#signal);
      const result = this.#values.next();
      if (result.done !== true) return Promise.resolve(result);
    } catch (error) {
      return this.#fail(error);
    }
    const fetched = this.#fetch();
    if (this.#waiting === null) this.#hold(fetched);
    return fetched;
  }

  /** Reads on until there is a value. */
  async #fetch(): Promise<IteratorResult<T, undefined>> {
    try {
      while (await this.#advance()) {
        const result = this.#values.next();
        if (result.done !== true) return result;
      }
    } catch (error) {
      // Let go meanwhile: what the source says to that is no news.
      if (!this.#isOver) return this.#fail(error);
    }
    this.#isOver = true;
    return { done: true, value: undefined };
  }

  /** Pushes the next chunk; false at the end of the source. */
  async #advance(): Promise<boolean> {
    const chunk = await this.#chunks.next();
    if (chunk === null) {
      if (!this.#isOver) this.#decoder.end();
      return false;
    }
    this.#decoder.push(chunk);
    return true;
  }

  /** Is there anything after what has been taken? Reads on until that is known. */
  async more(): Promise<boolean> {
    if (this.#decoder.left > 0) return true;
    try {
      for (let chunk = await this.#chunks.next(); chunk !== null; chunk = await this.#chunks.next()) {
        if (chunk.byteLength > 0) return true;
      }
      return false;
    } catch (error) {
      return this.#fail(error);
    }
  }

  async #fail(error: unknown): Promise<never> {
    this.#isOver = true;
    // Not awaited: a source that hangs, or fails again, must not keep the error back.
    this.#chunks.close(error).catch(() => undefined);
    throw error;
  }

  async return(): Promise<IteratorResult<T, undefined>> {
    if (!this.#isOver) {
      this.#isOver = true;
      await this.#chunks.close();
    }
    return { done: true, value: undefined };
  }

  /** Calls that come before this one has ended wait for it. */
  #hold<R>(call: Promise<R>): Promise<R> {
    const over = () => {
      if (this.#waiting === settled) this.#waiting = null;
    };
    const settled = call.then(over, over);
    this.#waiting = settled;
    return call;
  }
}
