/** Reads single numbers: of fixed width, signed varints, and 64-bit varints. */
import { truncated, unzigzag32, unzigzag64High, unzigzag64Low } from "moonpack/bytes";
import { f32At, f64At, i16At, i32At, i64At, signed64, u16At, u32At, u64At, unsigned64 } from "./fixed-width.js";
import { notShortest, type PackReader, readU8, readUvar, refused, skipFixed } from "./reader.js";

/** Reads a u16. */
export function readU16(r: PackReader): number {
  return u16At(r.bytes, skipFixed(r, 2));
}

/** Reads a u32. */
export function readU32(r: PackReader): number {
  return u32At(r.bytes, skipFixed(r, 4));
}

/** Reads an i8. */
export function readI8(r: PackReader): number {
  return (readU8(r) << 24) >> 24;
}

/** Reads an i16. */
export function readI16(r: PackReader): number {
  return i16At(r.bytes, skipFixed(r, 2));
}

/** Reads an i32. */
export function readI32(r: PackReader): number {
  return i32At(r.bytes, skipFixed(r, 4));
}

/** Reads an f32 (IEEE 754). */
export function readF32(r: PackReader): number {
  return f32At(r.bytes, skipFixed(r, 4));
}

/** Reads an f64 (IEEE 754). */
export function readF64(r: PackReader): number {
  return f64At(r.bytes, skipFixed(r, 8));
}

/** Returns the 64-bit integer of two words as a number. Throws `ERR_UNSAFE_INTEGER` beyond 2^53 - 1. */
function safe64(low: number, top: number, offset: number): number {
  const value = top * 0x100000000 + (low >>> 0);
  if (!Number.isSafeInteger(value)) throw refused("ERR_UNSAFE_INTEGER", "an integer beyond 2^53 - 1", offset);
  return value;
}

/** Reads a u64 as a bigint. */
export function readU64(r: PackReader): bigint {
  return u64At(r.bytes, skipFixed(r, 8));
}

/** Reads an i64 as a bigint. */
export function readI64(r: PackReader): bigint {
  return i64At(r.bytes, skipFixed(r, 8));
}

/** Reads a u64 as a number. Throws `ERR_UNSAFE_INTEGER` beyond 2^53 - 1. */
export function readSafeU64(r: PackReader): number {
  const start = skipFixed(r, 8);
  return safe64(i32At(r.bytes, start), u32At(r.bytes, start + 4), start);
}

/** Reads an i64 as a number. Throws `ERR_UNSAFE_INTEGER` beyond 2^53 - 1. */
export function readSafeI64(r: PackReader): number {
  const start = skipFixed(r, 8);
  return safe64(i32At(r.bytes, start), i32At(r.bytes, start + 4), start);
}

/** Reads an int32 varint (zigzag, LEB128). Throws the errors of {@link readUvar}. */
export function readIvar(r: PackReader): number {
  return unzigzag32(readUvar(r));
}

/** Reads a uint64 varint (LEB128) and returns its low word; `r.high` receives the high word. */
function readVar64(r: PackReader): number {
  const { bytes, end, pos: start } = r;
  let low = 0;
  let high = 0;
  for (let i = 0; i < 10; i++) {
    if (start + i >= end) throw truncated(start, 1);
    const byte = bytes[start + i]!;
    if (i === 9 && byte > 1) break;
    const bits = byte & 0x7f;
    if (i < 4) low |= bits << (7 * i);
    else if (i === 4) {
      low |= bits << 28;
      high = bits >>> 4;
    } else high |= bits << (7 * i - 32);
    if (byte < 0x80) {
      if (byte === 0 && i > 0) throw notShortest(start);
      r.pos = start + i + 1;
      r.high = high;
      return low;
    }
  }
  throw refused("ERR_OUT_OF_RANGE", "a varint beyond 64 bits", start);
}

/**
 * Reads a uint64 varint (LEB128) as a bigint. Throws `ERR_OUT_OF_RANGE` above 2^64 - 1; `ERR_NOT_SHORTEST` for a last byte 00.
 */
export function readUvar64(r: PackReader): bigint {
  const low = readVar64(r);
  return unsigned64(low, r.high);
}

/** Reads an int64 varint (zigzag, LEB128) as a bigint. Throws the errors of {@link readUvar64}. */
export function readIvar64(r: PackReader): bigint {
  const low = readVar64(r);
  return signed64(unzigzag64Low(low >>> 0, r.high >>> 0), unzigzag64High(low >>> 0, r.high >>> 0));
}

/** Reads a uint64 varint as a number. Throws the errors of {@link readUvar64}, and `ERR_UNSAFE_INTEGER` beyond 2^53 - 1. */
export function readSafeUvar64(r: PackReader): number {
  const start = r.pos;
  const low = readVar64(r);
  return safe64(low, r.high >>> 0, start);
}

/** Reads an int64 varint as a number. Throws the errors of {@link readUvar64}, and `ERR_UNSAFE_INTEGER` beyond 2^53 - 1. */
export function readSafeIvar64(r: PackReader): number {
  const start = r.pos;
  const low = readVar64(r);
  const high = r.high >>> 0;
  return safe64(unzigzag64Low(low >>> 0, high), unzigzag64High(low >>> 0, high) | 0, start);
}
