import { writeUtf8 } from "#platform";
import { GrowingBuffer } from "./buffer.js";
import { EncodeError } from "./errors.js";
import { lengthOf } from "./input.js";
import { putUvar32, putUvar64 } from "./varint.js";
import { zigzag32, zigzag64High, zigzag64Low } from "./zigzag.js";

/**
 * Writes numbers, varints, text and bytes one after the other, into memory that grows. Every method makes room before it
 * writes. `u8`, `u16`, `u32` and `u64` write the low bits of any number; the varint methods check their values.
 *
 * @example
 * const w = new ByteWriter(); w.uvar32(300); w.utf8("é");
 * w.written(); // Uint8Array [172, 2, 195, 169]
 */
export class ByteWriter extends GrowingBuffer {
  /** Writes a byte: the low 8 bits of `n`. */
  u8(n: number): void {
    this.reserve(1);
    this.bytes[this.pos++] = n;
  }

  /** Writes the low 16 bits of `n`, the high byte first unless `littleEndian`. */
  u16(n: number, littleEndian = false): void {
    this.reserve(2);
    this.view.setUint16(this.pos, n, littleEndian);
    this.pos += 2;
  }

  /** Writes the low 32 bits of `n`. */
  u32(n: number, littleEndian = false): void {
    this.reserve(4);
    this.view.setUint32(this.pos, n, littleEndian);
    this.pos += 4;
  }

  /** Writes a 64-bit integer of two 32-bit words. */
  u64(lo: number, hi: number, littleEndian = false): void {
    this.reserve(8);
    this.view.setUint32(this.pos, littleEndian ? lo : hi, littleEndian);
    this.view.setUint32(this.pos + 4, littleEndian ? hi : lo, littleEndian);
    this.pos += 8;
  }

  /** Writes a float of 32 bits (IEEE 754). */
  f32(n: number, littleEndian = false): void {
    this.reserve(4);
    this.view.setFloat32(this.pos, n, littleEndian);
    this.pos += 4;
  }

  /** Writes a float of 64 bits (IEEE 754). */
  f64(n: number, littleEndian = false): void {
    this.reserve(8);
    this.view.setFloat64(this.pos, n, littleEndian);
    this.pos += 8;
  }

  /** Writes a uint32 as LEB128. `ERR_OUT_OF_RANGE` for any other number. */
  uvar32(n: number): void {
    if (n >>> 0 !== n) throw new EncodeError("ERR_OUT_OF_RANGE", `${n} is not a valid uint32 (0 to 2^32 - 1)`, "$");
    this.reserve(5);
    this.pos = putUvar32(this.bytes, this.pos, n);
  }

  /** Writes an int32 as zigzag LEB128. `ERR_OUT_OF_RANGE` for any other number. */
  ivar32(n: number): void {
    if ((n | 0) !== n) throw new EncodeError("ERR_OUT_OF_RANGE", `${n} is not a valid int32 (-2^31 to 2^31 - 1)`, "$");
    this.reserve(5);
    this.pos = putUvar32(this.bytes, this.pos, zigzag32(n));
  }

  /** Writes a uint64 of two 32-bit words as LEB128. */
  uvar64(lo: number, hi: number): void {
    this.reserve(10);
    this.pos = putUvar64(this.bytes, this.pos, lo >>> 0, hi >>> 0);
  }

  /** Writes an int64 of two 32-bit words as zigzag LEB128. */
  ivar64(lo: number, hi: number): void {
    this.reserve(10);
    this.pos = putUvar64(this.bytes, this.pos, zigzag64Low(lo, hi), zigzag64High(lo, hi));
  }

  /** Writes bytes, without a length. */
  raw(bytes: Uint8Array): void {
    const n = lengthOf(bytes);
    this.limit(n);
    this.reserve(n);
    this.bytes.set(bytes, this.pos);
    this.pos += n;
  }

  /** Writes text as UTF-8, without a length. For a lone surrogate it writes nothing and throws `ERR_INVALID_UTF8`. */
  utf8(text: string): void {
    this.limit(text.length); // the text takes at least as many bytes
    this.reserve(text.length * 3);
    const end = writeUtf8(this.bytes, this.pos, text);
    if (end < 0) throw new EncodeError("ERR_INVALID_UTF8", "a lone surrogate has no UTF-8 form", "$");
    this.pos = end;
  }
}
