import { invalidArgument, MoonpackError } from "../bytes/errors.js";
import { type BytesInput, toBytes } from "../bytes/input.js";
import { WaitingParts } from "../bytes/waiting-parts.js";
import type { DecoderOptions } from "../msgpack/options.js";
import { viewOf } from "../msgpack/read/base.js";
import { ResumableReader } from "../msgpack/read/parts/resumable.js";
import { PENDING } from "../msgpack/read/stack.js";
import type { DecoderStats } from "../msgpack/read/stats.js";
import { readerFor } from "./shared-reader.js";

/** Parts up to this size are copied before they are read: a copy takes 25-50 ns, a DataView over the caller's memory 190 ns. */
const COPIED_BYTES = 2048;

// Keeps one object alive: see shared-reader.ts on V8 and classes without objects.
let kept: StreamDecoder | null | undefined;

/**
 * Decodes MessagePack that arrives in parts: push bytes, pull values. Parts may end anywhere, at any depth. Each byte is read
 * once, so the time is linear in the bytes even if the parts are small. Only the incomplete message is kept.
 *
 * @example
 * const decoder = new StreamDecoder();
 * for await (const chunk of socket) for (const value of decoder.push(chunk)) handle(value);
 * decoder.end(); // ERR_TRUNCATED if the stream ended inside a message
 */
export class StreamDecoder<T = unknown> implements Iterable<T> {
  readonly #reader: ResumableReader;
  /** Small parts are copied here; null if decoded binary may be a view of the part. */
  readonly #small: Uint8Array<ArrayBuffer> | null;
  readonly #smallView: DataView<ArrayBuffer>;
  /** Copies of parts that were pushed before the previous ones had been read. */
  readonly #waiting = new WaitingParts();
  #closed = false;

  /**
   * Throws `ERR_INVALID_ARGUMENT` for an invalid option. Decoders without options share the tables of learned keys and shapes; a
   * decoder with options, even `{}`, has separate tables of about 60 KB. `values`: the decoded unit. With `"items"` the stream is
   * one array or one map, and the values are its elements, or its pairs `[key, value]`, as they arrive.
   */
  constructor(options?: DecoderOptions, values: "messages" | "items" = "messages") {
    if (values !== "messages" && values !== "items") throw invalidArgument('values must be "messages" or "items"');
    if (kept === undefined) {
      kept = null;
      kept = new StreamDecoder();
    }
    const reader = readerFor(options);
    this.#reader = new ResumableReader(reader, values === "items");
    this.#small = reader.settings.binary !== "view" ? new Uint8Array(COPIED_BYTES) : null;
    this.#smallView = viewOf(this.#small ?? new Uint8Array(0));
  }

  /**
   * Takes the stream's next bytes and returns the decoder itself: iterate over it for the values that are complete now. The
   * bytes are read while you iterate. You may reuse their memory when the iteration has ended (up to 2 KB: immediately). A part that
   * is pushed before that is copied. With `binary: "view"` decoded binary shares their memory. Throws `ERR_CLOSED` after an
   * error or `end`.
   */
  push(bytes: BytesInput): this {
    if (this.#closed) throw closed();
    const part = toBytes(bytes);
    if (this.#waiting.left > 0 || this.#reader.left > 0) this.#waiting.addCopy(part);
    else this.#give(part, part.length);
    return this;
  }

  /** Gives the reader the first `size` bytes of `part`. */
  #give(part: Uint8Array<ArrayBuffer>, size: number): void {
    if (this.#small === null || part.length > COPIED_BYTES) this.#reader.give(part, viewOf(part), size);
    else {
      this.#small.set(part);
      this.#reader.give(this.#small, this.#smallView, size);
    }
  }

  /** Iterates over the complete values, in order; you may stop and continue later. Invalid bytes throw a `DecodeError` here. */
  [Symbol.iterator](): Iterator<T> {
    return { next: () => this.#next() };
  }

  #next(): IteratorResult<T, undefined> {
    for (;;) {
      const value = this.#closed ? PENDING : this.#read();
      if (value !== PENDING) return { done: false, value: value as T };
      if (this.#waiting.left === 0) return { done: true, value: undefined };
      const { bytes, size } = this.#waiting.take()!;
      this.#give(bytes, size);
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
   * Ends the stream and closes the decoder. Throws `ERR_TRUNCATED` inside a message, with the offset of the incomplete item in
   * the stream, and `ERR_INVALID_ARGUMENT` if pushed bytes have not been read.
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
    this.#waiting.clear();
  }

  /** Bytes of the stream that have been read. */
  get offset(): number {
    return this.#reader.offset;
  }

  /** Bytes that have been pushed but not read. */
  get left(): number {
    return this.#reader.left + this.#waiting.left;
  }

  /** Bytes kept of an incomplete string, number or binary. */
  get buffered(): number {
    return this.#reader.buffered;
  }

  /** True after `end` or an error. */
  get closed(): boolean {
    return this.#closed;
  }

  /** Returns counters of the work done so far. Keys and shapes are counted over all decoders that share them. */
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
