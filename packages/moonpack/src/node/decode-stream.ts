import { Transform, type TransformCallback } from "node:stream";
import { codecOptions } from "../msgpack/codec-options.js";
import type { DecoderOptions } from "../msgpack/options.js";
import { StreamDecoder } from "../stream/decoder.js";
import { signalOption } from "../stream/source.js";
import { NULL } from "./null.js";
import { closed, destroyOnAbort, markOptions, STREAM_OPTIONS, type StreamOptions } from "./options.js";

/** Options of a {@link DecodeStream}. */
export interface DecodeStreamOptions extends DecoderOptions, StreamOptions {}

/** An error that waits until the values before it have been read. */
interface HeldError {
  readonly error: unknown;
  readonly callback: TransformCallback;
}

/**
 * A Transform from bytes to values. Chunks may end anywhere. A message that is nil becomes {@link NULL}. Values are decoded
 * no faster than they are read: a chunk with many values waits until the readable side wants more. A chunk may be reused once
 * its write is done; with `binary: "view"` decoded binary shares memory with it.
 *
 * Malformed bytes are a `DecodeError`, whose offset counts from the start of the stream. `ERR_TRUNCATED` if the stream ends
 * inside a message. Both are emitted as `error` after the values before them have been read, and destroy the stream.
 *
 * @example
 * for await (const value of createReadStream("log.msgpack").pipe(new DecodeStream())) console.log(value);
 */
export class DecodeStream<T = unknown> extends Transform {
  #decoder: StreamDecoder<T> | null;
  #offAbort: () => void = () => undefined;
  /** The callback of the chunk that is being decoded. */
  #callback: TransformCallback | null = null;
  #heldError: HeldError | null = null;
  #isPumping = false;

  /** `ERR_INVALID_ARGUMENT` for an invalid option. */
  constructor(options?: DecodeStreamOptions) {
    const decoder = new StreamDecoder<T>(codecOptions(options, STREAM_OPTIONS));
    const signal = signalOption(options);
    super({ ...markOptions(options), readableObjectMode: true });
    this.#decoder = decoder;
    this.#offAbort = destroyOnAbort(this, signal);
  }

  /** Starts to decode a chunk; called by Node. */
  override _write(chunk: Uint8Array, _encoding: BufferEncoding, callback: TransformCallback): void {
    this.#callback = callback;
    this.#decoder!.push(chunk);
    this.#pump();
  }

  /** Continues with the chunk; called by Node. */
  override _read(): void {
    if (this.#callback !== null) this.#pump();
  }

  /** Pushes values until the chunk ends or the readable side is full. A `data` handler may read, write or destroy. */
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

  /** Ends the bytes; called by Node. */
  override _flush(callback: TransformCallback): void {
    try {
      this.#decoder!.end();
    } catch (error) {
      return this.#fail({ error, callback });
    }
    callback();
  }

  /** Holds an error back while values wait to be read: an error event would overtake them. */
  #fail(held: HeldError): void {
    if (this.readableLength === 0) held.callback(held.error as Error);
    else this.#heldError = held;
  }

  /** Returns the next value, {@link NULL} for nil; null if no value is ready. */
  override read(size?: number): ReturnType<Transform["read"]> {
    const value: unknown = super.read(size);
    const held = this.#heldError;
    if (held !== null && this.readableLength === 0) {
      this.#heldError = null;
      held.callback(held.error as Error);
    }
    return value;
  }

  /** Returns the iterator of `for await`, with the type of the values, which Node's own declaration lacks. */
  override iterator(options?: { destroyOnReturn?: boolean }): NodeJS.AsyncIterator<T | typeof NULL> {
    return super.iterator(options) as NodeJS.AsyncIterator<T | typeof NULL>;
  }

  /** Releases all memory; called by Node. The callback of a pending write is called after `close`. */
  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#offAbort();
    const pending = this.#callback ?? this.#heldError?.callback ?? null;
    this.#decoder = this.#callback = this.#heldError = null;
    callback(error);
    if (pending !== null) process.nextTick(pending, error ?? closed("stream"));
  }
}
