import { writeUtf8 } from "#utf8";
import { GrowingBuffer } from "./buffer.js";
import { EncodeError } from "./errors.js";
import { putUvar32, putUvar64 } from "./varint.js";
import { zigzag32, zigzag64High, zigzag64Low } from "./zigzag.js";

/**
 * Writes numbers, varints, text and bytes one after the other. Every method reserves before it writes, so no call can
 * write outside.
 *
 * @example
 * const w = new ByteWriter(); w.uvar32(300); w.utf8("é");
 * w.written(); // Uint8Array [172, 2, 195, 169]
 */
export class ByteWriter extends GrowingBuffer {
  u8(n: number): void {
    this.reserve(1);
    this.bytes[this.pos++] = n;
  }

  u16(n: number, littleEndian = false): void {
    this.reserve(2);
    this.view.setUint16(this.pos, n, littleEndian);
    this.pos += 2;
  }

  u32(n: number, littleEndian = false): void {
    this.reserve(4);
    this.view.setUint32(this.pos, n, littleEndian);
    this.pos += 4;
  }

  /** A 64-bit integer from two 32-bit words. */
  u64(lo: number, hi: number, littleEndian = false): void {
    this.reserve(8);
    this.view.setUint32(this.pos, littleEndian ? lo : hi, littleEndian);
    this.view.setUint32(this.pos + 4, littleEndian ? hi : lo, littleEndian);
    this.pos += 8;
  }

  f32(n: number, littleEndian = false): void {
    this.reserve(4);
    this.view.setFloat32(this.pos, n, littleEndian);
    this.pos += 4;
  }

  f64(n: number, littleEndian = false): void {
    this.reserve(8);
    this.view.setFloat64(this.pos, n, littleEndian);
    this.pos += 8;
  }

  /** A uint32 as LEB128. */
  uvar32(n: number): void {
    if (n >>> 0 !== n) throw new EncodeError("ERR_OUT_OF_RANGE", `${n} is no uint32`, "$");
    this.reserve(5);
    this.pos = putUvar32(this.bytes, this.pos, n);
  }

  /** An int32 as zigzagged LEB128. */
  ivar32(n: number): void {
    if ((n | 0) !== n) throw new EncodeError("ERR_OUT_OF_RANGE", `${n} is no int32`, "$");
    this.reserve(5);
    this.pos = putUvar32(this.bytes, this.pos, zigzag32(n));
  }

  /** A uint64 of two uint32 words as LEB128. */
  uvar64(lo: number, hi: number): void {
    this.reserve(10);
    this.pos = putUvar64(this.bytes, this.pos, lo >>> 0, hi >>> 0);
  }

  /** An int64 of two words as zigzagged LEB128. */
  ivar64(lo: number, hi: number): void {
    this.reserve(10);
    this.pos = putUvar64(this.bytes, this.pos, zigzag64Low(lo, hi), zigzag64High(lo, hi));
  }

  /** Raw bytes, without a length. */
  raw(bytes: Uint8Array): void {
    this.limit(bytes.length);
    this.reserve(bytes.length);
    this.bytes.set(bytes, this.pos);
    this.pos += bytes.length;
  }

  /** Text as UTF-8, without a length. A lone surrogate is `ERR_INVALID_UTF8`; nothing is written then. */
  utf8(text: string): void {
    this.limit(text.length); // at least
    this.reserve(text.length * 3);
    const end = writeUtf8(this.bytes, this.pos, text);
    if (end < 0) throw new EncodeError("ERR_INVALID_UTF8", "a lone surrogate has no UTF-8 form", "$");
    this.pos = end;
  }
}
