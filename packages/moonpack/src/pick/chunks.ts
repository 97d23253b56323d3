import { DecodeError, invalidArgument, shifted } from "../bytes/errors.js";
import { type BytesInput, toBytes, truncated } from "../bytes/input.js";
import { tooLong } from "../msgpack/read/base.js";
import { PendingItem } from "./pending.js";

/** Bytes that are added to an incomplete message at a time: most need few. */
const PART_BYTES = 4096;

/** A decoder of the message at an offset: `Picker.decodeAt`. */
type DecodeAt<T> = (bytes: Uint8Array<ArrayBuffer>, offset: number) => { readonly value: T; readonly end: number };

/**
 * Picks from messages that arrive in chunks. A message within a chunk is read in place; only one that crosses chunks is collected.
 * Offsets of errors count from the start of the stream.
 */
export class PickedChunks<T> implements Iterable<T>, Iterator<T, undefined> {
  readonly #decodeAt: DecodeAt<T>;
  readonly #maxDepth: number;
  readonly #maxBytes: number;
  #chunk: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  #chunkSize = 0;
  #pos = 0;
  /** Bytes of the stream before the chunk. */
  #before = 0;
  #pending: PendingItem | null = null;
  /** Thrown again by later calls: the rest of the stream has no known start. */
  #failure: unknown = null;

  constructor(decodeAt: DecodeAt<T>, maxDepth: number, maxBytes: number) {
    this.#decodeAt = decodeAt;
    this.#maxDepth = maxDepth;
    this.#maxBytes = maxBytes;
  }

  /** Bytes that were pushed and not read yet. */
  get left(): number {
    return this.#chunkSize - this.#pos + (this.#pending?.size ?? 0);
  }

  /** Takes the next chunk; the values of the one before must have been read. */
  push(chunk: BytesInput): void {
    this.#before += this.#chunkSize;
    this.#chunk = toBytes(chunk);
    this.#chunkSize = this.#chunk.length;
    this.#pos = 0;
  }

  /** Throws `ERR_TRUNCATED` if the stream ends inside a message. */
  end(): void {
    const pending = this.#pending;
    if (pending === null) return;
    throw truncated(this.#before + this.#chunkSize, Math.max(1, pending.pos - pending.size));
  }

  [Symbol.iterator](): this {
    return this;
  }

  next(): IteratorResult<T, undefined> {
    if (this.#failure !== null) throw this.#failure;
    try {
      return this.#next();
    } catch (error) {
      this.#failure = error;
      throw error;
    }
  }

  #next(): IteratorResult<T, undefined> {
    if (this.#pending === null) {
      const start = this.#pos;
      if (this.#chunk.length !== this.#chunkSize) throw invalidArgument("a chunk was detached while it was read");
      if (start >= this.#chunk.length) return { done: true, value: undefined };
      try {
        const { value, end } = this.#decodeAt(this.#chunk, start);
        this.#pos = end;
        return { done: false, value };
      } catch (error) {
        if (!(error instanceof DecodeError && error.code === "ERR_TRUNCATED"))
          throw error instanceof DecodeError ? shifted(error, this.#before) : error;
        this.#pending = new PendingItem(this.#maxDepth);
      }
    }
    return this.#collect(this.#pending);
  }

  /** Adds bytes to an incomplete message until it is complete, or the chunk ends. */
  #collect(pending: PendingItem): IteratorResult<T, undefined> {
    const start = this.#before + this.#pos - pending.size;
    try {
      while (!pending.isComplete()) {
        if (Math.max(pending.pos, pending.size) > this.#maxBytes) throw tooLong(this.#maxBytes, 0);
        if (this.#pos === this.#chunk.length) return { done: true, value: undefined };
        const size = Math.max(PART_BYTES, pending.pos - pending.size);
        const part = this.#chunk.subarray(this.#pos, this.#pos + size);
        pending.add(part);
        this.#pos += part.length;
      }
      // The bytes after it belong to the next message.
      this.#pos -= pending.size - pending.pos;
      this.#pending = null;
      return { done: false, value: this.#decodeAt(pending.bytes.slice(0, pending.pos), 0).value };
    } catch (error) {
      throw error instanceof DecodeError ? shifted(error, start) : error;
    }
  }
}
