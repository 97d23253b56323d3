import { Transform, type TransformCallback } from "node:stream";
import { choiceOption, ownOption } from "../bytes/options.js";
import { type EncoderOptions, type EncoderSettings, encoderSettings } from "../msgpack/options.js";
import { chunkSizeOption, type GatherOptions, gatherChunks } from "../stream/encode.js";
import type { Gather } from "../stream/gather.js";
import { signalOption } from "../stream/source.js";
import { NULL } from "./null.js";
import { closed, destroyOnAbort, markOptions, type StreamOptions } from "./options.js";

/** Options of an {@link EncodeStream}. */
export interface EncodeStreamOptions extends EncoderOptions, GatherOptions, StreamOptions {
  /**
   * When a chunk goes out before it is full. `turn` (default): once the values of this turn of the event loop are written.
   * `each`: with every value. `size`: not before the end: for files and HTTP bodies.
   */
  readonly flush?: "turn" | "each" | "size";
}

/** A callback of `write`. */
type WriteCallback = (error: Error | null | undefined) => void;

/** A value whose writer wants to hear of it. */
class Entry {
  readonly value: unknown;
  error: Error | null = null;

  constructor(value: unknown) {
    this.value = value;
  }
}

/**
 * A Transform from values to MessagePack. What is written in one turn of the event loop goes out as one chunk, see
 * `flush`. Chunks are the receiver's for good.
 *
 * nil is written as {@link NULL} or by `write(null)`. A value that cannot be encoded, `undefined` too, fails its own write
 * alone: the callback gets the `EncodeError` with code and path, nothing of the value is sent, and the stream stays usable.
 * Without a callback, as `pipe` and `pipeline` write, the error is an `error` event; the stream is not destroyed by it:
 * `pipe` unpipes the source, `pipeline` fails and destroys them all.
 *
 * @example
 * pipeline(Readable.from([1, "two", { three: 3 }]), new EncodeStream(), socket);
 */
export class EncodeStream extends Transform {
  readonly #settings: EncoderSettings;
  readonly #chunkSize: number;
  readonly #flush: "turn" | "each" | "size";
  #offAbort: () => void = () => undefined;
  /** Made by the first value. */
  #gather: Gather | null = null;
  /** Chunks that are full. Not pushed right where they come up: a `data` handler's error is not the value's. */
  #ready: Uint8Array<ArrayBuffer>[] = [];
  #immediate: NodeJS.Immediate | null = null;
  /** The readable side has what it wants. */
  #isFull = false;
  /** Of the write that waits until it wants more. */
  #held: TransformCallback | null = null;

  /** `ERR_INVALID_ARGUMENT` for an option that makes no sense. */
  constructor(options?: EncodeStreamOptions) {
    const settings = encoderSettings(options);
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
   * Writes a value; false when you should wait for `drain`. The callback gets the value's `EncodeError`, or null once the
   * value is encoded and the next one is wanted.
   */
  override write(value: unknown, encoding?: BufferEncoding | WriteCallback, callback?: WriteCallback): boolean {
    const done = typeof encoding === "function" ? encoding : callback;
    const item = value === null ? NULL : value;
    if (typeof done !== "function") return super.write(item);
    const entry = new Entry(item);
    return super.write(entry, (error) => done(error ?? entry.error));
  }

  /** Takes a value: for Node. */
  override _write(item: unknown, _encoding: BufferEncoding, callback: TransformCallback): void {
    const entry = item instanceof Entry ? item : null;
    const value = entry === null ? item : entry.value;
    try {
      this.#open().add(value === NULL ? null : value);
    } catch (error) {
      if (entry !== null) entry.error = error as Error;
      else process.nextTick(() => this.destroyed || this.emit("error", error));
    }
    this.#send();
    if (this.#isFull && this.#gather !== null) this.#held = callback;
    else callback();
  }

  #open(): Gather {
    return (this.#gather ??= gatherChunks(this.#settings, this.#chunkSize, (chunk) => this.#ready.push(chunk)));
  }

  /** Pushes what is full, and sees to what is not. */
  #send(): void {
    if (this.#flush === "each") this.#gather?.flush();
    this.#pushReady();
    if (this.#flush === "turn" && this.#immediate === null && this.#gather !== null && this.#gather.used > 0) {
      this.#immediate = setImmediate(this.#endTurn);
    }
  }

  #endTurn = (): void => {
    this.#immediate = null;
    this.#gather?.flush();
    this.#pushReady();
  };

  #pushReady(): void {
    for (let chunk = this.#ready.shift(); chunk !== undefined; chunk = this.#ready.shift()) {
      if (!this.push(chunk)) this.#isFull = true;
    }
  }

  /** The readable side wants more: for Node. */
  override _read(): void {
    this.#isFull = false;
    const held = this.#held;
    this.#held = null;
    held?.();
  }

  /** The end of the values: for Node. */
  override _flush(callback: TransformCallback): void {
    this.#stopTurn();
    this.#endTurn();
    callback();
  }

  #stopTurn(): void {
    if (this.#immediate !== null) clearImmediate(this.#immediate);
    this.#immediate = null;
  }

  /** Lets everything go: for Node. The write that was under way learns it after `close`. */
  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#offAbort();
    this.#stopTurn();
    const held = this.#held;
    this.#gather = this.#held = null;
    this.#ready = [];
    callback(error);
    if (held !== null) process.nextTick(held, error ?? closed("stream"));
  }
}
