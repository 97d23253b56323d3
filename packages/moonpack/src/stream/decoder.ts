import { invalidArgument, MoonpackError } from "../bytes/errors.js";
import { type BytesInput, toBytes } from "../bytes/input.js";
import { copyOwned } from "../bytes/slab.js";
import type { DecoderStats } from "../msgpack/decoder.js";
import type { DecoderOptions } from "../msgpack/options.js";
import { viewOf } from "../msgpack/read.js";
import { OPEN, ResumableReader } from "../msgpack/resume.js";
import { readerFor } from "./reader.js";

/** Parts up to here are copied before they are read: a copy takes 25-50 ns, a DataView over the caller's memory 190 ns. */
const COPIED_BYTES = 2048;

// See reader.ts on what V8 does with classes without objects.
let kept: StreamDecoder | null | undefined;

/**
 * Decodes MessagePack that comes in parts: push bytes, pull values. Work already done is kept, wherever the parts are cut,
 * at any depth: time is linear in the bytes however small the parts are, and no more is held than the unfinished message.
 *
 * @example
 * const decoder = new StreamDecoder();
 * for await (const chunk of socket) for (const value of decoder.push(chunk)) handle(value);
 * decoder.end(); // ERR_TRUNCATED if the stream ended inside a message
 */
export class StreamDecoder<T = unknown> implements Iterable<T> {
  readonly #reader: ResumableReader;
  /** Small parts are copied here; null where decoded binary may be a window on the part. */
  readonly #small: Uint8Array<ArrayBuffer> | null;
  readonly #smallView: DataView<ArrayBuffer>;
  /** Parts that were pushed before those in front of them were read: copies. */
  #waiting: Uint8Array<ArrayBuffer>[] = [];
  #closed = false;

  /**
   * `ERR_INVALID_ARGUMENT` for an option that makes no sense. Decoders without options share what they learn of keys and
   * shapes; one with options, if only `{}`, learns for itself and takes some 60 KB. With `inPieces` the stream is one array
   * or one map, and the values are its elements, or its pairs `[key, value]`, as they come.
   */
  constructor(options?: DecoderOptions, inPieces = false) {
    if (kept === undefined) {
      kept = null;
      kept = new StreamDecoder();
    }
    const reader = readerFor(options);
    this.#reader = new ResumableReader(reader, inPieces);
    this.#small = reader.settings.binary === "copy" ? new Uint8Array(COPIED_BYTES) : null;
    this.#smallView = viewOf(this.#small ?? new Uint8Array(0));
  }

  /**
   * Takes the stream's next bytes and answers the decoder itself: iterate over it for the values that are complete now. The
   * bytes are read while you iterate and are yours again once it has ended (at once up to 2 KB); what is pushed before that
   * is copied. With `binary: "view"` decoded binary goes on sharing memory with them.
   * `ERR_CLOSED` after an error or `end`.
   */
  push(bytes: BytesInput): this {
    if (this.#closed) throw closed();
    const part = toBytes(bytes);
    if (this.#waiting.length > 0 || this.#reader.left > 0) this.#waiting.push(copyOwned(part, 0, part.length));
    else this.#give(part);
    return this;
  }

  #give(part: Uint8Array<ArrayBuffer>): void {
    const size = part.length;
    if (this.#small === null || size > COPIED_BYTES) this.#reader.give(part, viewOf(part), size);
    else {
      this.#small.set(part);
      this.#reader.give(this.#small, this.#smallView, size);
    }
  }

  /** Values that are complete, in order; stop when you like and go on later. A malformed byte is a `DecodeError` here. */
  [Symbol.iterator](): Iterator<T> {
    return { next: () => this.#next() };
  }

  #next(): IteratorResult<T, undefined> {
    for (;;) {
      const value = this.#closed ? OPEN : this.#read();
      if (value !== OPEN) return { done: false, value: value as T };
      const part = this.#waiting.shift();
      if (part === undefined) return { done: true, value: undefined };
      this.#give(part);
    }
  }

  #read(): unknown {
    if (this.#reader.busy) throw busy();
    try {
      return this.#reader.next();
    } catch (error) {
      this.#close();
      throw error;
    }
  }

  /**
   * The stream has ended: `ERR_TRUNCATED` when it ended inside a message, with the offset of the item that is cut in the
   * whole stream; `ERR_INVALID_ARGUMENT` when bytes were pushed and not read. The decoder is closed then.
   */
  end(): void {
    if (this.#closed) return;
    if (this.#reader.busy) throw busy();
    const { left } = this;
    this.#close();
    if (left > 0)
      throw invalidArgument(`${left} bytes were pushed and not read: iterate over the decoder before its end`);
    this.#reader.finish();
  }

  #close(): void {
    this.#closed = true;
    this.#waiting = [];
  }

  /** Bytes of the whole stream that have been read. */
  get offset(): number {
    return this.#reader.offset;
  }

  /** Bytes that have been pushed and not been read. */
  get left(): number {
    return this.#waiting.reduce((sum, part) => sum + part.length, this.#reader.left);
  }

  /** Bytes that are held back of an unfinished string, number or binary. */
  get buffered(): number {
    return this.#reader.buffered;
  }

  /** Ended, or failed: it takes nothing more. */
  get closed(): boolean {
    return this.#closed;
  }

  /** Counters of the work done so far; those of keys and shapes are of all decoders that share them. */
  stats(): DecoderStats {
    return this.#reader.stats();
  }
}

function busy(): MoonpackError {
  return invalidArgument("an extension cannot use the decoder that called it");
}

function closed(): MoonpackError {
  return new MoonpackError("ERR_CLOSED", "the decoder is closed: its stream has ended or was malformed");
}
