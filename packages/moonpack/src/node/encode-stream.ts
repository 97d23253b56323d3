import { Transform, type TransformCallback } from "node:stream";
import { choiceOption, ownOption } from "../bytes/options.js";
import { codecOptions } from "../msgpack/codec-options.js";
import { type EncoderOptions, type EncoderSettings, encoderSettings } from "../msgpack/options.js";
import type { MessageBatch } from "../stream/batch.js";
import { type ChunkOptions, chunkSizeOption, owningBatch } from "../stream/encode.js";
import { signalOption } from "../stream/source.js";
import { NULL } from "./null.js";
import { closed, destroyOnAbort, markOptions, STREAM_OPTIONS, type StreamOptions } from "./options.js";

/** Options of an {@link EncodeStream}. */
export interface EncodeStreamOptions extends EncoderOptions, ChunkOptions, StreamOptions {
  /**
   * When to push a chunk before it is full. `turn` (default): at the end of the turn of the event loop, with all values that
   * were written in it. `each`: after every value. `size`: never, except at the end; for files and HTTP bodies.
   */
  readonly flush?: "turn" | "each" | "size";
}

/** The callback of {@link EncodeStream.write}. */
export type WriteCallback = (error: Error | null | undefined) => void;

/** A value whose write has a callback, and its error. */
class TrackedValue {
  readonly value: unknown;
  error: Error | null = null;

  constructor(value: unknown) {
    this.value = value;
  }
}

/**
 * A Transform from values to MessagePack. All values that are written in one turn of the event loop become one chunk, see
 * `flush`. The receiver owns the chunks.
 *
 * nil is written by {@link NULL} or `write(null)`. If a value cannot be encoded (`undefined` too), only its own write fails: the
 * callback receives the `EncodeError` with code and path, nothing of the value is sent, and the stream stays usable. Without a
 * callback, as in `pipe` and `pipeline`, the error is an `error` event, which does not destroy the stream; `pipe` then unpipes
 * the source, and `pipeline` fails and destroys all its streams.
 *
 * @example
 * pipeline(Readable.from([1, "two", { three: 3 }]), new EncodeStream(), socket);
 */
export class EncodeStream extends Transform {
  readonly #settings: EncoderSettings;
  readonly #chunkSize: number;
  readonly #flush: "turn" | "each" | "size";
  #offAbort: () => void = () => undefined;
  /** Created by the first value. */
  #batch: MessageBatch | null = null;
  /** Full chunks. Pushed after the value is encoded, so that a `data` handler's error is not mistaken for the value's error. */
  #fullChunks: Uint8Array<ArrayBuffer>[] = [];
  #immediate: NodeJS.Immediate | null = null;
  /** True while the readable side is full. */
  #isFull = false;
  /** The callback of the write that waits until the readable side wants more. */
  #waiting: TransformCallback | null = null;

  /** `ERR_INVALID_ARGUMENT` for an invalid option. */
  constructor(options?: EncodeStreamOptions) {
    const settings = encoderSettings(codecOptions(options, [...STREAM_OPTIONS, "chunkSize", "flush"]));
    const signal = signalOption(options);
    const chunkSize = chunkSizeOption(options);
    const flush = choiceOption("flush", ownOption(options, "flush"), ["turn", "each", "size"]);
    super({ readableHighWaterMark: chunkSize, ...markOptions(options), writableObjectMode: true });
    this.#settings = settings;
    this.#chunkSize = chunkSize;
    this.#flush = flush as "turn" | "each" | "size";
    this.#offAbort = destroyOnAbort(this, signal);
  }

  /**
   * Writes a value. Returns false if the caller should wait for `drain`. The callback receives the value's `EncodeError`, or
   * null once the value is encoded and the next one is wanted.
   */
  override write(value: unknown, encoding?: BufferEncoding | WriteCallback, callback?: WriteCallback): boolean {
    const done = typeof encoding === "function" ? encoding : callback;
    const item = value === null ? NULL : value;
    if (typeof done !== "function") return super.write(item);
    const tracked = new TrackedValue(item);
    return super.write(tracked, (error) => done(error ?? tracked.error));
  }

  /** Encodes a value; called by Node. */
  override _write(item: unknown, _encoding: BufferEncoding, callback: TransformCallback): void {
    const tracked = item instanceof TrackedValue ? item : null;
    const value = tracked === null ? item : tracked.value;
    try {
      this.#open().add(value === NULL ? null : value);
    } catch (error) {
      if (tracked !== null) tracked.error = error as Error;
      else process.nextTick(() => this.destroyed || this.emit("error", error));
    }
    this.#pushChunks();
    if (this.#isFull && this.#batch !== null) this.#waiting = callback;
    else callback();
  }

  #open(): MessageBatch {
    return (this.#batch ??= owningBatch(this.#settings, this.#chunkSize, (chunk) => this.#fullChunks.push(chunk)));
  }

  /** Pushes the full chunks. Flushes the batch, or schedules that, as `flush` says. */
  #pushChunks(): void {
    if (this.#flush === "each") this.#batch?.flush();
    this.#pushFull();
    if (this.#flush === "turn" && this.#immediate === null && this.#batch !== null && this.#batch.used > 0) {
      this.#immediate = setImmediate(this.#endTurn);
    }
  }

  #endTurn = (): void => {
    this.#immediate = null;
    this.#batch?.flush();
    this.#pushFull();
  };

  #pushFull(): void {
    for (let chunk = this.#fullChunks.shift(); chunk !== undefined; chunk = this.#fullChunks.shift()) {
      if (!this.push(chunk)) this.#isFull = true;
    }
  }

  /** Continues when the readable side wants more; called by Node. */
  override _read(): void {
    this.#isFull = false;
    const waiting = this.#waiting;
    this.#waiting = null;
    waiting?.();
  }

  /** Ends the values; called by Node. */
  override _flush(callback: TransformCallback): void {
    this.#stopTurn();
    this.#endTurn();
    callback();
  }

  #stopTurn(): void {
    if (this.#immediate !== null) clearImmediate(this.#immediate);
    this.#immediate = null;
  }

  /** Releases all memory; called by Node. The callback of a pending write is called after `close`. */
  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#offAbort();
    this.#stopTurn();
    const waiting = this.#waiting;
    this.#batch = this.#waiting = null;
    this.#fullChunks = [];
    callback(error);
    if (waiting !== null) process.nextTick(waiting, error ?? closed("stream"));
  }
}
