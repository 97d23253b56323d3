import { PartialItem } from "moonpack/msgpack/formats";
import { type DecodeError, truncated } from "./errors.js";
import { type DecoderInput, inputBytes, viewOf } from "./input.js";
import type { CheckedDecoderOptions } from "./options.js";
import { INCOMPLETE, ValueReader } from "./read.js";

/**
 * Reads the values of a stream that arrives in parts. Each part is read when it arrives. If it ends inside a string, binary, number or
 * header, the bytes of that item are collected until it is complete. So the work is linear in the bytes for parts of any size,
 * and a part may be reused once the next one is pushed.
 */
export class PartsReader {
  readonly #reader: ValueReader;
  /** The current part. Its first `#pos` bytes have been read. */
  #part: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  #pos = 0;
  #size = 0;
  /** Offset of the current part in the stream. */
  #base = 0;
  /** True while the reader is set to the current part. */
  #isSet = true;
  /** The incomplete item, and its offset in the stream. */
  readonly #partial = new PartialItem();
  #partialStart = 0;

  constructor(settings: CheckedDecoderOptions) {
    this.#reader = new ValueReader(settings, true);
  }

  /** Takes the next part. The part before must have been read completely. */
  push(part: DecoderInput): void {
    this.#base += this.#size;
    this.#part = inputBytes(part);
    this.#size = this.#part.length;
    this.#pos = 0;
    this.#isSet = false;
  }

  /** Bytes of the part that have not been read. */
  get left(): number {
    return this.#size - this.#pos;
  }

  /** Length of the part. */
  get size(): number {
    return this.#size;
  }

  /** Bytes of the stream that have been read. */
  get offset(): number {
    return this.#base + this.#pos;
  }

  /** True between two values, before any byte of the next one is read. */
  get isBetween(): boolean {
    return this.#partial.size === 0 && this.#reader.reserved === null;
  }

  /** Reads the next value. INCOMPLETE if its end has not arrived. */
  value(): unknown {
    return this.#read((reader) => reader.value());
  }

  /** Reads the header of an array whose elements are read next. Returns its length; INCOMPLETE if it has not arrived. */
  arrayLength(): number | typeof INCOMPLETE {
    return this.#read((reader) => reader.arrayLength());
  }

  /** The error for a stream that ends here. `items` are missing, including one that has begun. */
  truncated(items: number): DecodeError {
    const { reserved } = this.#reader;
    const others = reserved === null ? items : items - 1 + reserved;
    if (this.#partial.size === 0) return truncated(this.offset, others);
    return truncated(this.#partialStart, this.#partial.declared - this.#partial.size + others - 1);
  }

  #read<T>(step: (reader: ValueReader) => T | typeof INCOMPLETE): T | typeof INCOMPLETE {
    const reader = this.#reader;
    if (this.#partial.size > 0) {
      if (!this.#completePartial()) return INCOMPLETE;
      const value = this.#readPartial(step);
      if (value !== INCOMPLETE) return value;
    }
    if (!this.#isSet) {
      const part = this.#part;
      reader.setInput(part, viewOf(part), this.#pos, this.#size, this.#base, false);
      this.#isSet = true;
    }
    const value = step(reader);
    this.#pos = reader.pos;
    if (value === INCOMPLETE && this.left > 0) {
      this.#partialStart = this.offset;
      this.#keep(this.left, this.left);
    }
    return value;
  }

  /** Adds the missing bytes of the partial item from the part. False if the part has too few. */
  #completePartial(): boolean {
    const partial = this.#partial;
    for (let { declared } = partial; declared > partial.size; declared = partial.declared) {
      // The limits are checked as soon as the length is known, before the bytes are waited for.
      if (partial.size === partial.header) {
        this.#setPartial();
        this.#reader.hasItem();
      }
      const n = Math.min(declared - partial.size, this.left);
      if (n === 0) return false;
      this.#keep(n, declared);
    }
    return true;
  }

  #readPartial<T>(step: (reader: ValueReader) => T | typeof INCOMPLETE): T | typeof INCOMPLETE {
    const partial = this.#partial;
    this.#setPartial();
    const value = step(this.#reader);
    // Memory that the item fills completely may now belong to its value.
    if (partial.size === partial.bytes.length) partial.release();
    else partial.clear();
    return value;
  }

  /** Sets the reader to the partial item. */
  #setPartial(): void {
    const { bytes, view, size } = this.#partial;
    this.#reader.setInput(bytes, view, 0, size, this.#partialStart, bytes.length === size);
    this.#isSet = false;
  }

  /** Moves the next `n` bytes of the part to the partial item. */
  #keep(n: number, declared: number): void {
    this.#partial.append(this.#part, this.#pos, this.#pos + n, declared);
    this.#pos += n;
  }
}
