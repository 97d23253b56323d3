import { headerSize, payloadSize } from "../../msgpack/item-size.js";
import { cutShort, type DecodeError } from "./errors.js";
import { type DecoderInput, inputBytes, viewOf } from "./input.js";
import type { DecoderSettings } from "./options.js";
import { CUT, ValueReader } from "./read.js";

export { CUT };

const EMPTY = new Uint8Array(0);
/** Memory for cut items starts here; what is larger is one item's alone. */
const FIRST_HELD = 64;

/**
 * Reads the values of a stream that comes in parts. Each part is read at once as far as it goes; the bytes of the one
 * string, binary, number or header that its end cuts are gathered here until it is complete. So the work is linear in the
 * bytes however they are cut, and a part is its owner's again when the next one is pushed.
 */
export class PartsReader {
  readonly #reader: ValueReader;
  /** The part, of which the first `#pos` bytes have been read; its first byte is byte `#base` of the stream. */
  #part: Uint8Array<ArrayBuffer> = EMPTY;
  #pos = 0;
  #size = 0;
  #base = 0;
  #isSeen = true;
  /** The beginning of an item that was cut, and where it lies in the stream. */
  #held: Uint8Array<ArrayBuffer> = EMPTY;
  #heldView: DataView<ArrayBuffer> = viewOf(EMPTY);
  #heldSize = 0;
  #heldAt = 0;

  constructor(settings: DecoderSettings) {
    this.#reader = new ValueReader(settings, true);
  }

  /** The next part; all of the one before has been read. */
  push(part: DecoderInput): void {
    this.#base += this.#size;
    this.#part = inputBytes(part);
    this.#size = this.#part.length;
    this.#pos = 0;
    this.#isSeen = false;
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

  /** Nothing of a value has been read yet. */
  get isBetween(): boolean {
    return this.#heldSize === 0 && this.#reader.owed === null;
  }

  /** The next value, or CUT when its end has not come yet. */
  value(): unknown {
    return this.#read((reader) => reader.value());
  }

  /** The length of the array whose elements are read next, or CUT when its header has not come yet. */
  arrayLength(): number | typeof CUT {
    return this.#read((reader) => reader.arrayLength());
  }

  /** The error for a stream that ends here although `items` are still to come, that which has begun included. */
  cutShort(items: number): DecodeError {
    const { owed } = this.#reader;
    const others = owed === null ? items : items - 1 + owed;
    return this.#heldSize > 0 ? cutShort(this.#heldAt, this.#missing() + others - 1) : cutShort(this.offset, others);
  }

  #read<T>(step: (reader: ValueReader) => T | typeof CUT): T | typeof CUT {
    const reader = this.#reader;
    if (this.#heldSize > 0) {
      if (!this.#complete()) return CUT;
      const value = this.#readHeld(step);
      if (value !== CUT) return value;
    }
    if (!this.#isSeen) {
      const part = this.#part;
      reader.look(part, viewOf(part), this.#pos, this.#size, this.#base, false);
      this.#isSeen = true;
    }
    const value = step(reader);
    this.#pos = reader.pos;
    if (value === CUT && this.left > 0) {
      this.#heldAt = this.offset;
      this.#keep(this.left, this.left);
    }
    return value;
  }

  /** Takes what the held item lacks from the part; false when that is not enough. */
  #complete(): boolean {
    for (let missing = this.#missing(); missing > 0; missing = this.#missing()) {
      // As soon as its length is known, before it is waited for.
      if (this.#heldSize === headerSize(this.#held, 0)) {
        this.#lookAtHeld();
        this.#reader.isThere();
      }
      const n = Math.min(missing, this.left);
      if (n === 0) return false;
      this.#keep(n, this.#heldSize + missing);
    }
    return true;
  }

  /** Bytes that the held item lacks, as far as it can be told. */
  #missing(): number {
    const size = this.#heldSize;
    return headerSize(this.#held, 0) + payloadSize(this.#held, this.#heldView, 0, size) - size;
  }

  #readHeld<T>(step: (reader: ValueReader) => T | typeof CUT): T | typeof CUT {
    this.#lookAtHeld();
    const value = step(this.#reader);
    // Memory that the item fills may have become its value.
    if (this.#heldSize === this.#held.length) this.#held = EMPTY;
    this.#heldSize = 0;
    return value;
  }

  #lookAtHeld(): void {
    const size = this.#heldSize;
    this.#reader.look(this.#held, this.#heldView, 0, size, this.#heldAt, this.#held.length === size);
    this.#isSeen = false;
  }

  /** Keeps `n` bytes of the part. Memory doubles, never ahead of the bytes that came and never beyond the item. */
  #keep(n: number, needed: number): void {
    const size = this.#heldSize + n;
    if (size > this.#held.length) {
      const held = new Uint8Array(Math.max(size, FIRST_HELD, Math.min(needed, 2 * this.#held.length)));
      held.set(this.#held.subarray(0, this.#heldSize));
      this.#held = held;
      this.#heldView = viewOf(held);
    }
    const from = this.#pos;
    if (n === 1) this.#held[this.#heldSize] = this.#part[from]!;
    else this.#held.set(this.#part.subarray(from, from + n), this.#heldSize);
    this.#heldSize = size;
    this.#pos += n;
  }
}
