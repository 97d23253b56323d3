import { Transform, type TransformCallback } from "node:stream";
import type { DecoderOptions } from "../msgpack/options.js";
import { StreamDecoder } from "../stream/decoder.js";
import { signalOption } from "../stream/source.js";
import { NULL } from "./null.js";
import { closed, destroyOnAbort, markOptions, type StreamOptions } from "./options.js";

/** Options of a {@link DecodeStream}. */
export interface DecodeStreamOptions extends DecoderOptions, StreamOptions {}

/** What is wrong with the bytes, kept until the values in front of it have been read. */
interface Failure {
  readonly error: unknown;
  readonly callback: TransformCallback;
}

/**
 * A Transform from bytes to the values that they are, wherever the chunks are cut. A message that is nil comes as
 * {@link NULL}. Values are read no faster than they are taken: a chunk with many of them waits until the readable side
 * wants more. A chunk is the caller's again once its write is done; with `binary: "view"` decoded binary goes on sharing
 * memory with it.
 *
 * Malformed bytes are a `DecodeError` with the offset in the whole stream, `ERR_TRUNCATED` when the stream ends inside a
 * message. Both come by `error`, after the values in front of them have been read, and destroy the stream.
 *
 * @example
 * for await (const value of createReadStream("log.msgpack").pipe(new DecodeStream())) console.log(value);
 */
export class DecodeStream<T = unknown> extends Transform {
  #decoder: StreamDecoder<T> | null;
  #offAbort: () => void = () => undefined;
  /** Of the chunk that is being read. */
  #callback: TransformCallback | null = null;
  #failure: Failure | null = null;
  #isPumping = false;

  /** `ERR_INVALID_ARGUMENT` for an option that makes no sense. */
  constructor(options?: DecodeStreamOptions) {
    const decoder = new StreamDecoder<T>(options);
    const signal = signalOption(options);
    super({ ...markOptions(options), readableObjectMode: true });
    this.#decoder = decoder;
    this.#offAbort = destroyOnAbort(this, signal);
  }

  /** Takes a chunk: for Node. */
  override _write(chunk: Uint8Array, _encoding: BufferEncoding, callback: TransformCallback): void {
    this.#callback = callback;
    this.#decoder!.push(chunk);
    this.#pump();
  }

  /** Goes on with the chunk: for Node. */
  override _read(): void {
    if (this.#callback !== null) this.#pump();
  }

  /** Gives the values of the chunk until it ends or nobody wants more. A `data` handler may read, write or destroy. */
  #pump(): void {
    if (this.#isPumping) return;
    this.#isPumping = true;
    try {
      for (;;) {
        if (this.#decoder === null) return;
        const result = this.#next(this.#decoder);
        if (result === undefined) return;
        if (result.done === true) break;
        if (!this.push(result.value === null ? NULL : result.value)) return;
      }
    } finally {
      this.#isPumping = false;
    }
    const callback = this.#callback!;
    this.#callback = null;
    callback();
  }

  #next(decoder: StreamDecoder<T>): IteratorResult<T> | undefined {
    try {
      return decoder[Symbol.iterator]().next();
    } catch (error) {
      const callback = this.#callback!;
      this.#callback = null;
      this.#fail({ error, callback });
      return undefined;
    }
  }

  /** The end of the bytes: for Node. */
  override _flush(callback: TransformCallback): void {
    try {
      this.#decoder!.end();
    } catch (error) {
      return this.#fail({ error, callback });
    }
    callback();
  }

  /** An error would overtake the values that wait to be read. */
  #fail(failure: Failure): void {
    if (this.readableLength === 0) failure.callback(failure.error as Error);
    else this.#failure = failure;
  }

  /** The next value, or null when there is none now; {@link NULL} for nil. */
  override read(size?: number): ReturnType<Transform["read"]> {
    const value: unknown = super.read(size);
    const failure = this.#failure;
    if (failure !== null && this.readableLength === 0) {
      this.#failure = null;
      failure.callback(failure.error as Error);
    }
    return value;
  }

  /** The values as `for await` over the stream gives them, with their type: Node's own knows none. */
  override iterator(options?: { destroyOnReturn?: boolean }): NodeJS.AsyncIterator<T | typeof NULL> {
    return super.iterator(options) as NodeJS.AsyncIterator<T | typeof NULL>;
  }

  /** Lets everything go: for Node. The write that was under way learns it after `close`. */
  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#offAbort();
    const held = this.#callback ?? this.#failure?.callback ?? null;
    this.#decoder = this.#callback = this.#failure = null;
    callback(error);
    if (held !== null) process.nextTick(held, error ?? closed("stream"));
  }
}
