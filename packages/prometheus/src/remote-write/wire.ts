/** The parts of Protobuf's wire format that remote write needs. Every field is inside the bytes of its message. */
import { DecodeError, truncated } from "moonpack/bytes";

const MAX_VARINT_BYTES = 10;
/** Wire types: a varint, 8 bytes, a length and its bytes, 4 bytes. */
const VARINT = 0;
const I64 = 1;
const LEN = 2;
const I32 = 5;

/** Reads fields. `at` is the place of the next byte. */
export class Wire {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly view: DataView<ArrayBuffer>;
  at = 0;
  /** The number of the field that {@link Wire.next} has read. */
  field = 0;
  #type = 0;
  #high = 0;

  constructor(bytes: Uint8Array<ArrayBuffer>) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  /** Reads the tag of the next field of a message that ends at `end`. False at its end. */
  next(end: number): boolean {
    if (this.at >= end) return false;
    const start = this.at;
    const tag = this.#varint(end);
    this.field = tag >>> 3;
    this.#type = tag & 7;
    if (this.field === 0 || this.#high !== 0)
      throw new DecodeError("ERR_INVALID_BYTE", "not the tag of a field", start);
    return true;
  }

  /** Reads the length of a field of bytes. Returns where they end. */
  length(end: number): number {
    this.#check(LEN);
    const start = this.at;
    const length = this.#varint(end) + this.#high * 2 ** 32;
    const missing = this.at + length - end;
    if (missing > 0) throw truncated(start, missing);
    return this.at + length;
  }

  /** Reads an int64; one beyond 2^53 becomes the nearest number. */
  int64(end: number): number {
    this.#check(VARINT);
    const low = this.#varint(end);
    return (this.#high | 0) * 2 ** 32 + low;
  }

  /** Moves past a double and returns its place. */
  double(end: number): number {
    this.#check(I64);
    this.#skipBytes(8, end);
    return this.at - 8;
  }

  /** Moves past the content of a field of any type, except groups, which proto3 does not have. */
  skip(end: number): void {
    if (this.#type === VARINT) this.#varint(end);
    else if (this.#type === LEN) this.at = this.length(end);
    else if (this.#type === I64) this.#skipBytes(8, end);
    else if (this.#type === I32) this.#skipBytes(4, end);
    else throw new DecodeError("ERR_INVALID_BYTE", `the wire type ${this.#type}`, this.at);
  }

  #check(type: number): void {
    if (this.#type === type) return;
    throw new DecodeError(
      "ERR_INVALID_BYTE",
      `field ${this.field} has the wire type ${this.#type}, not ${type}`,
      this.at,
    );
  }

  #skipBytes(count: number, end: number): void {
    if (this.at + count > end) throw truncated(this.at, this.at + count - end);
    this.at += count;
  }

  /** Returns the low word of a varint and keeps the high one. As in Go, it need not be in its shortest form. */
  #varint(end: number): number {
    const start = this.at;
    let low = 0;
    let high = 0;
    for (let i = 0; i < MAX_VARINT_BYTES; i++) {
      if (this.at >= end) throw truncated(start, 1);
      const byte = this.bytes[this.at++]!;
      const bits = byte & 0x7f;
      if (i < 4) low |= bits << (7 * i);
      else if (i === 4) {
        low |= bits << 28;
        high = bits >>> 4;
      } else high |= bits << (7 * i - 32);
      if (byte >= 0x80) continue;
      if (i === 9 && byte > 1) break;
      this.#high = high >>> 0;
      return low >>> 0;
    }
    throw new DecodeError("ERR_OUT_OF_RANGE", "a varint beyond 64 bits", start);
  }
}
