import { readUtf8 } from "#utf8";
import { DecodeError, invalidArgument } from "./errors.js";
import { type BytesInput, toBytes, truncated } from "./input.js";
import { unzigzag32, unzigzag64High, unzigzag64Low } from "./zigzag.js";

/**
 * A checked cursor over bytes: nothing reads past the end, every failure is a {@link DecodeError} with its offset.
 * 64-bit values come as two words: the method answers the low one, `high` holds the other.
 *
 * @example
 * const r = new ByteReader(new Uint8Array([172, 2])); r.uvar32(); // 300
 * r.u8(); // throws ERR_TRUNCATED, offset 2, needMore 1
 */
export class ByteReader {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly view: DataView<ArrayBuffer>;
  /** Where the next byte comes from. */
  pos: number;
  /** One past the last byte that may be read. */
  readonly end: number;
  /** High word of the last 64-bit read: uint32 after u64 and uvar64, int32 after ivar64. */
  high = 0;

  constructor(input: BytesInput, start = 0, end?: number) {
    this.bytes = toBytes(input);
    this.view = new DataView(this.bytes.buffer, this.bytes.byteOffset, this.bytes.length);
    const last = end ?? this.bytes.length;
    // Every later check compares with these two.
    if (!Number.isInteger(start) || !Number.isInteger(last) || start < 0 || start > last || last > this.bytes.length) {
      throw invalidArgument("start and end must lie inside the bytes");
    }
    this.pos = start;
    this.end = last;
  }

  /** Checks that `n` bytes are left for the item that began at `start`. */
  need(n: number, start = this.pos): void {
    const missing = this.pos + n - this.end;
    if (missing > 0) throw truncated(start, missing);
  }

  private count(n: number): void {
    if (!Number.isInteger(n) || n < 0) throw invalidArgument("a count of bytes must be a positive integer or 0");
    this.need(n);
  }

  u8(): number {
    this.need(1);
    return this.bytes[this.pos++]!;
  }

  u16(littleEndian = false): number {
    this.need(2);
    this.pos += 2;
    return this.view.getUint16(this.pos - 2, littleEndian);
  }

  u32(littleEndian = false): number {
    this.need(4);
    this.pos += 4;
    return this.view.getUint32(this.pos - 4, littleEndian);
  }

  /** Low word; `high` holds the other. */
  u64(littleEndian = false): number {
    this.need(8);
    const first = this.view.getUint32(this.pos, littleEndian);
    const second = this.view.getUint32(this.pos + 4, littleEndian);
    this.pos += 8;
    this.high = littleEndian ? second : first;
    return littleEndian ? first : second;
  }

  f32(littleEndian = false): number {
    this.need(4);
    this.pos += 4;
    return this.view.getFloat32(this.pos - 4, littleEndian);
  }

  f64(littleEndian = false): number {
    this.need(8);
    this.pos += 8;
    return this.view.getFloat64(this.pos - 8, littleEndian);
  }

  /** A uint32 as LEB128, shortest form only: `ERR_OUT_OF_RANGE` above 2^32 - 1, `ERR_NOT_SHORTEST` for a last byte 00. */
  uvar32(): number {
    const start = this.pos;
    if (start < this.end) {
      const byte = this.bytes[start]!;
      if (byte < 0x80) {
        this.pos = start + 1;
        return byte;
      }
    }
    return this.uvar32Slow(start);
  }

  private uvar32Slow(start: number): number {
    let value = 0;
    for (let i = 0; i < 5; i++) {
      if (start + i >= this.end) throw truncated(start, 1);
      const byte = this.bytes[start + i]!;
      if (i === 4 && byte > 0x0f) throw varintTooLarge(start, 32);
      value |= (byte & 0x7f) << (7 * i);
      if (byte < 0x80) {
        if (byte === 0 && i > 0) throw varintNotShortest(start);
        this.pos = start + i + 1;
        break;
      }
    }
    return value >>> 0;
  }

  /** An int32 as zigzagged LEB128; errors as {@link ByteReader.uvar32}. */
  ivar32(): number {
    return unzigzag32(this.uvar32());
  }

  /** Low word of a uint64 as LEB128; `high` holds the other. Errors as {@link ByteReader.uvar32}, above 2^64 - 1. */
  uvar64(): number {
    const start = this.pos;
    let lo = 0;
    let hi = 0;
    for (let i = 0; i < 10; i++) {
      if (start + i >= this.end) throw truncated(start, 1);
      const byte = this.bytes[start + i]!;
      if (i === 9 && byte > 1) throw varintTooLarge(start, 64);
      const bits = byte & 0x7f;
      if (i < 4) lo |= bits << (7 * i);
      else if (i === 4) {
        lo |= bits << 28;
        hi |= bits >>> 4;
      } else hi |= bits << (7 * i - 32);
      if (byte < 0x80) {
        if (byte === 0 && i > 0) throw varintNotShortest(start);
        this.pos = start + i + 1;
        break;
      }
    }
    this.high = hi >>> 0;
    return lo >>> 0;
  }

  /** Low word (uint32) of an int64 as zigzagged LEB128; `high` (int32) holds the other. */
  ivar64(): number {
    const lo = this.uvar64();
    const hi = this.high;
    this.high = unzigzag64High(lo, hi);
    return unzigzag64Low(lo, hi);
  }

  /** A view of the next `n` bytes; copy it before you keep it. */
  raw(n: number): Uint8Array<ArrayBuffer> {
    this.count(n);
    this.pos += n;
    return this.bytes.subarray(this.pos - n, this.pos);
  }

  /** The next `n` bytes as text; `ERR_INVALID_UTF8` when they are not well-formed. */
  utf8(n: number): string {
    this.count(n);
    const text = readUtf8(this.bytes, this.view, this.pos, this.pos + n);
    if (text === null) throw new DecodeError("ERR_INVALID_UTF8", "malformed UTF-8", this.pos);
    this.pos += n;
    return text;
  }
}

function varintTooLarge(start: number, bits: number): DecodeError {
  return new DecodeError("ERR_OUT_OF_RANGE", `a varint beyond ${bits} bits`, start);
}

function varintNotShortest(start: number): DecodeError {
  return new DecodeError("ERR_NOT_SHORTEST", "a varint with a needless last byte", start);
}
