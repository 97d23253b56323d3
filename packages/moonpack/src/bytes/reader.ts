import { readUtf8 } from "#platform";
import { DecodeError, invalidArgument } from "./errors.js";
import { type BytesInput, toBytes, truncated } from "./input.js";
import { unzigzag32, unzigzag64High, unzigzag64Low } from "./zigzag.js";

/**
 * Reads numbers, varints, text and bytes. No method reads past the end; every failure is a {@link DecodeError} with its offset,
 * and leaves `pos` where it was. A 64-bit value is two words: the method returns the low word, and `high` holds the other.
 *
 * @example
 * const r = new ByteReader(new Uint8Array([172, 2])); r.uvar32(); // 300
 * r.u8(); // throws ERR_TRUNCATED, offset 2, needMore 1
 */
export class ByteReader {
  /** The whole input. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** A view of the whole input. */
  readonly view: DataView<ArrayBuffer>;
  /** The position of the next byte. */
  pos: number;
  /** The position after the last byte that may be read. */
  readonly end: number;
  /** The high word of the last 64-bit value: uint32 after u64 and uvar64, int32 after ivar64. */
  high = 0;

  /** Reads `input[start..end)`. `ERR_INVALID_ARGUMENT` for anything but bytes, and for a range outside them. */
  constructor(input: BytesInput, start = 0, end?: number) {
    this.bytes = toBytes(input);
    this.view = new DataView(this.bytes.buffer, this.bytes.byteOffset, this.bytes.length);
    const last = end ?? this.bytes.length;
    if (!Number.isInteger(start) || !Number.isInteger(last) || start < 0 || start > last || last > this.bytes.length) {
      throw invalidArgument("start and end must be positions in the input");
    }
    this.pos = start;
    this.end = last;
  }

  /** Checks that `n` bytes remain for the item that began at `start`. `ERR_TRUNCATED` at `start` otherwise. */
  need(n: number, start = this.pos): void {
    const missing = this.pos + n - this.end;
    if (missing > 0) throw truncated(start, missing);
  }

  /** Reads an unsigned byte. */
  u8(): number {
    this.need(1);
    return this.bytes[this.pos++]!;
  }

  /** Reads a uint16, the high byte first unless `littleEndian`. */
  u16(littleEndian = false): number {
    this.need(2);
    this.pos += 2;
    return this.view.getUint16(this.pos - 2, littleEndian);
  }

  /** Reads a uint32. */
  u32(littleEndian = false): number {
    this.need(4);
    this.pos += 4;
    return this.view.getUint32(this.pos - 4, littleEndian);
  }

  /** Reads the low word of a 64-bit integer; `high` holds the other. */
  u64(littleEndian = false): number {
    this.need(8);
    const first = this.view.getUint32(this.pos, littleEndian);
    const second = this.view.getUint32(this.pos + 4, littleEndian);
    this.pos += 8;
    this.high = littleEndian ? second : first;
    return littleEndian ? first : second;
  }

  /** Reads a float of 32 bits (IEEE 754). */
  f32(littleEndian = false): number {
    this.need(4);
    this.pos += 4;
    return this.view.getFloat32(this.pos - 4, littleEndian);
  }

  /** Reads a float of 64 bits (IEEE 754). */
  f64(littleEndian = false): number {
    this.need(8);
    this.pos += 8;
    return this.view.getFloat64(this.pos - 8, littleEndian);
  }

  /** Reads a uint32 as LEB128, in its shortest form. `ERR_OUT_OF_RANGE` above 2^32 - 1, `ERR_NOT_SHORTEST` for a last byte 00. */
  uvar32(): number {
    const start = this.pos;
    if (start < this.end) {
      const byte = this.bytes[start]!;
      if (byte < 0x80) {
        this.pos = start + 1;
        return byte;
      }
    }
    return longUvar32(this);
  }

  /** Reads an int32 as zigzag LEB128. Errors as in {@link ByteReader.uvar32}. */
  ivar32(): number {
    return unzigzag32(this.uvar32());
  }

  /** Reads the low word of a uint64 as LEB128; `high` holds the other. Errors as in {@link ByteReader.uvar32}, above 2^64 - 1. */
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

  /** Reads the low word (uint32) of an int64 as zigzag LEB128; `high` (int32) holds the other. Errors as in `uvar64`. */
  ivar64(): number {
    const lo = this.uvar64();
    const hi = this.high;
    this.high = unzigzag64High(lo, hi);
    return unzigzag64Low(lo, hi);
  }

  /** Returns a view of the next `n` bytes, of the input's memory: copy it to keep it. */
  raw(n: number): Uint8Array<ArrayBuffer> {
    checkCount(this, n);
    this.pos += n;
    return this.bytes.subarray(this.pos - n, this.pos);
  }

  /** Reads the next `n` bytes as UTF-8 text. `ERR_INVALID_UTF8` at the first of them when they are malformed. */
  utf8(n: number): string {
    checkCount(this, n);
    const text = readUtf8(this.bytes, this.view, this.pos, this.pos + n);
    if (text === null) throw new DecodeError("ERR_INVALID_UTF8", "malformed UTF-8", this.pos);
    this.pos += n;
    return text;
  }
}

function checkCount(r: ByteReader, n: number): void {
  if (!Number.isInteger(n) || n < 0) throw invalidArgument("the number of bytes must be an integer from 0 up");
  r.need(n);
}

/** A varint of more than one byte, or truncated input: a separate function, so that one byte is inlined. */
function longUvar32(r: ByteReader): number {
  const { bytes, pos: start, end } = r;
  let value = 0;
  for (let i = 0; i < 5; i++) {
    if (start + i >= end) throw truncated(start, 1);
    const byte = bytes[start + i]!;
    if (i === 4 && byte > 0x0f) throw varintTooLarge(start, 32);
    value |= (byte & 0x7f) << (7 * i);
    if (byte < 0x80) {
      if (byte === 0 && i > 0) throw varintNotShortest(start);
      r.pos = start + i + 1;
      break;
    }
  }
  return value >>> 0;
}

function varintTooLarge(start: number, bits: number): DecodeError {
  return new DecodeError("ERR_OUT_OF_RANGE", `a varint beyond ${bits} bits`, start);
}

function varintNotShortest(start: number): DecodeError {
  return new DecodeError("ERR_NOT_SHORTEST", "a varint that is not in its shortest form", start);
}
