/**
 * Reading what a schema says is there: the ground of PCK's decoders, compiled or emitted. Functions over one small state, so
 * that a bundler keeps what a schema needs. Every one checks before it reads, and fails with the item's first byte.
 *
 * Format: docs/pck-format.md ("A decoder rejects").
 */
import { readAscii, readUtf8 } from "#utf8";
import { DecodeError, type ErrorCode } from "./errors.js";
import { truncated } from "./input.js";
import { f32At, f64At, i16At, i32At, i64At, signed64, u16At, u32At, u64At, unsigned64 } from "./pack-read-at.js";
import { unzigzag32, unzigzag64High, unzigzag64Low } from "./zigzag.js";

/** A cursor over one message. */
export class PackReader {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Where the next item begins. */
  pos: number;
  /** One past the last byte. */
  end: number;
  /** The fewest bytes that open containers still need for elements not yet begun. */
  owed = 0;
  /** How deep structs and containers may be nested; the root is 1. */
  readonly maxDepth: number;
  /** High word of the 64-bit integer that was read last. */
  high = 0;
  /** Made when it is needed: that takes 190 ns. */
  view: DataView<ArrayBuffer> | null = null;

  constructor(bytes: Uint8Array<ArrayBuffer>, pos: number, maxDepth: number) {
    this.bytes = bytes;
    this.pos = pos;
    this.end = bytes.length;
    this.maxDepth = maxDepth;
  }
}

/** Longer texts are read through the view. */
const SHORT_TEXT = 24;
/** A view is made for the texts of more bytes than these; with fewer left only when one is there. */
const VIEWED_BYTES = 512;

/** An error at `offset`. */
export function refused(code: ErrorCode, text: string, offset: number): DecodeError {
  return new DecodeError(code, text, offset);
}

/** Checks that `n` bytes are left for the item that begins here. */
export function need(r: PackReader, n: number): void {
  if (r.pos + n > r.end) throw truncated(r.pos, r.pos + n - r.end);
}

/**
 * The error of a block of items from `pos` on that lacks bytes: that of the first one that has any. Sizes are in bytes; below 0
 * it is a bit store of so many bits.
 */
export function cutShort(r: PackReader, pos: number, sizes: readonly number[]): DecodeError {
  r.pos = pos;
  for (const size of sizes) {
    if (size < 0) readBits(r, -size);
    else {
      need(r, size);
      r.pos += size;
    }
  }
  return truncated(r.pos, 1);
}

/** A view over the bytes. */
export function viewOf(r: PackReader): DataView<ArrayBuffer> {
  const { view, bytes } = r;
  return view !== null ? view : (r.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length));
}

/** Nothing may be left. `ERR_TRAILING_BYTES`. */
export function expectEnd(r: PackReader): void {
  if (r.pos !== r.end) throw refused("ERR_TRAILING_BYTES", "bytes are left over", r.pos);
}

/** A container or struct at this depth. `ERR_LIMIT_DEPTH`. */
export function checkDepth(r: PackReader, depth: number): void {
  if (depth > r.maxDepth) throw refused("ERR_LIMIT_DEPTH", `nested deeper than ${r.maxDepth}`, r.pos);
}

/** Unsigned, 1 byte. */
export function readU8(r: PackReader): number {
  need(r, 1);
  return r.bytes[r.pos++]!;
}

/** Skips `n` bytes that are there; answers where they begin. */
function skipFixed(r: PackReader, n: number): number {
  need(r, n);
  r.pos += n;
  return r.pos - n;
}

/** Unsigned, 2 bytes. */
export function readU16(r: PackReader): number {
  return u16At(r.bytes, skipFixed(r, 2));
}

/** Unsigned, 4 bytes. */
export function readU32(r: PackReader): number {
  return u32At(r.bytes, skipFixed(r, 4));
}

/** Signed, 1 byte. */
export function readI8(r: PackReader): number {
  return (readU8(r) << 24) >> 24;
}

/** Signed, 2 bytes. */
export function readI16(r: PackReader): number {
  return i16At(r.bytes, skipFixed(r, 2));
}

/** Signed, 4 bytes. */
export function readI32(r: PackReader): number {
  return i32At(r.bytes, skipFixed(r, 4));
}

/** IEEE 754, 4 bytes. */
export function readF32(r: PackReader): number {
  return f32At(r.bytes, skipFixed(r, 4));
}

/** IEEE 754, 8 bytes. */
export function readF64(r: PackReader): number {
  return f64At(r.bytes, skipFixed(r, 8));
}

/** The same as a number. `ERR_UNSAFE_INTEGER` where that would not be exact. */
function safe64(low: number, top: number, offset: number): number {
  const value = top * 0x100000000 + (low >>> 0);
  if (!Number.isSafeInteger(value)) throw refused("ERR_UNSAFE_INTEGER", "an integer beyond 2^53 - 1", offset);
  return value;
}

/** Unsigned, 8 bytes. */
export function readU64(r: PackReader): bigint {
  return u64At(r.bytes, skipFixed(r, 8));
}

/** Signed, 8 bytes. */
export function readI64(r: PackReader): bigint {
  return i64At(r.bytes, skipFixed(r, 8));
}

/** Unsigned, 8 bytes, as a number. `ERR_UNSAFE_INTEGER`. */
export function readSafeU64(r: PackReader): number {
  const start = skipFixed(r, 8);
  return safe64(i32At(r.bytes, start), u32At(r.bytes, start + 4), start);
}

/** Signed, 8 bytes, as a number. `ERR_UNSAFE_INTEGER`. */
export function readSafeI64(r: PackReader): number {
  const start = skipFixed(r, 8);
  return safe64(i32At(r.bytes, start), i32At(r.bytes, start + 4), start);
}

/** A uint32 as LEB128: `ERR_OUT_OF_RANGE` above 2^32 - 1, `ERR_NOT_SHORTEST` for a last byte 00. */
export function readUvar(r: PackReader): number {
  const { pos } = r;
  if (pos < r.end) {
    const byte = r.bytes[pos]!;
    if (byte < 0x80) {
      r.pos = pos + 1;
      return byte;
    }
  }
  return readLongUvar(r, pos);
}

/** A uint32 as LEB128 that begins at `start` and is of more than one byte, or is not there at all. See {@link readUvar}. */
export function readLongUvar(r: PackReader, start: number): number {
  const { bytes, end } = r;
  if (start + 4 <= end) {
    // Without a loop: half of the time, which a list of ids consists of.
    const b0 = bytes[start]!;
    const b1 = bytes[start + 1]!;
    let value = (b0 & 0x7f) | ((b1 & 0x7f) << 7);
    if (b1 < 0x80) return lastByte(r, start, 2, b1, value);
    const b2 = bytes[start + 2]!;
    value |= (b2 & 0x7f) << 14;
    if (b2 < 0x80) return lastByte(r, start, 3, b2, value);
    const b3 = bytes[start + 3]!;
    value |= (b3 & 0x7f) << 21;
    if (b3 < 0x80) return lastByte(r, start, 4, b3, value);
    if (start + 4 === end) throw truncated(start, 1);
    const b4 = bytes[start + 4]!;
    if (b4 <= 0x0f) return lastByte(r, start, 5, b4, (value | (b4 << 28)) >>> 0);
    throw refused("ERR_OUT_OF_RANGE", "a varint beyond 32 bits", start);
  }
  let value = 0;
  for (let i = 0; start + i < end; i++) {
    const byte = bytes[start + i]!;
    value |= (byte & 0x7f) << (7 * i);
    if (byte < 0x80) return lastByte(r, start, i + 1, byte, value);
  }
  throw truncated(start, 1);
}

function lastByte(r: PackReader, start: number, size: number, byte: number, value: number): number {
  if (byte === 0) throw notShortest(start);
  r.pos = start + size;
  return value;
}

function notShortest(start: number): DecodeError {
  return refused("ERR_NOT_SHORTEST", "a varint with a needless last byte", start);
}

/** An int32 as zigzagged LEB128. Errors as {@link readUvar}. */
export function readIvar(r: PackReader): number {
  return unzigzag32(readUvar(r));
}

/** Low word of a uint64 as LEB128; `high` holds the other. */
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

/** A uint64 as LEB128: `ERR_OUT_OF_RANGE` above 2^64 - 1, `ERR_NOT_SHORTEST`. */
export function readUvar64(r: PackReader): bigint {
  const low = readVar64(r);
  return unsigned64(low, r.high);
}

/** An int64 as zigzagged LEB128. */
export function readIvar64(r: PackReader): bigint {
  const low = readVar64(r);
  return signed64(unzigzag64Low(low >>> 0, r.high >>> 0), unzigzag64High(low >>> 0, r.high >>> 0));
}

/** A uint64 as LEB128, as a number. `ERR_UNSAFE_INTEGER`. */
export function readSafeUvar64(r: PackReader): number {
  const start = r.pos;
  const low = readVar64(r);
  return safe64(low, r.high >>> 0, start);
}

/** An int64 as zigzagged LEB128, as a number. `ERR_UNSAFE_INTEGER`. */
export function readSafeIvar64(r: PackReader): number {
  const start = r.pos;
  const low = readVar64(r);
  const high = r.high >>> 0;
  return safe64(unzigzag64Low(low >>> 0, high), unzigzag64High(low >>> 0, high) | 0, start);
}

/** A place in a list of `count` names. `ERR_UNKNOWN_INDEX`. */
export function readIndex(r: PackReader, count: number): number {
  const start = r.pos;
  const index = readUvar(r);
  if (index >= count) throw refused("ERR_UNKNOWN_INDEX", `index ${index}, of ${count} names`, start);
  return index;
}

/** A byte that is 00 or 01. `ERR_INVALID_PADDING`. */
export function readFlag(r: PackReader): boolean {
  const byte = readU8(r);
  if (byte > 1) throw refused("ERR_INVALID_PADDING", "a byte that is neither 00 nor 01", r.pos - 1);
  return byte === 1;
}

/** Skips `count` bits, in whole bytes, of which spare ones are 0; answers where they begin. `ERR_INVALID_PADDING`. */
export function readBits(r: PackReader, count: number): number {
  const start = r.pos;
  const size = Math.ceil(count / 8);
  need(r, size);
  r.pos = start + size;
  if ((count & 7) !== 0 && r.bytes[start + size - 1]! >> (count & 7) !== 0) {
    throw notPadded(start);
  }
  return start;
}

/** Spare bits that are not 0. `offset`: where the bits begin. */
export function notPadded(offset: number): DecodeError {
  return refused("ERR_INVALID_PADDING", "spare bits that are not 0", offset);
}

/** A field that is there with the value that means absent. */
export function notCanonical(offset: number): DecodeError {
  return refused("ERR_NOT_CANONICAL", "a field that is present and means absent", offset);
}

/** Keys that do not ascend. */
export function notAscending(offset: number): DecodeError {
  return refused("ERR_MAP_ORDER", "keys that do not ascend", offset);
}

/** Bit `i` of those that begin at `start`. */
export function bitAt(r: PackReader, start: number, i: number): boolean {
  return ((r.bytes[start + (i >> 3)]! >> (i & 7)) & 1) === 1;
}

/**
 * How many elements follow, of `min` bytes at least. `ERR_LIMIT_ELEMENTS` when they, and what is owed already, are more than
 * the bytes left can hold. The caller adds them to `owed` while it reads them, if their type has counts of its own.
 */
export function readCount(r: PackReader, min: number): number {
  const start = r.pos;
  const count = readUvar(r);
  if (r.owed + count * min > r.end - r.pos) throw tooMany(count, start);
  return count;
}

/** The same of elements that begin with a bit each. */
export function readBitCount(r: PackReader): number {
  const start = r.pos;
  const count = readUvar(r);
  if (r.owed + Math.ceil(count / 8) > r.end - r.pos) throw tooMany(count, start);
  return count;
}

/** Checks that so many items of `size` bytes each are left; the error is that of the first one that is not. */
export function needEach(r: PackReader, count: number, size: number): void {
  const left = r.end - r.pos;
  if (count * size > left) throw truncated(r.pos + left - (left % size), size - (left % size));
}

/** Booleans, a bit each. See {@link readBits}. */
export function readBools(r: PackReader, count: number): boolean[] {
  const start = readBits(r, count);
  const list: boolean[] = [];
  for (let i = 0; i < count; i++) list.push(bitAt(r, start, i));
  return list;
}

function tooMany(count: number, start: number): DecodeError {
  return refused("ERR_LIMIT_ELEMENTS", `${count} elements, more than the bytes left can hold`, start);
}

/** Skips a count and so many bytes; answers where these begin. */
function skipCounted(r: PackReader): number {
  const start = r.pos;
  const n = readUvar(r);
  const from = r.pos;
  if (from + n > r.end) {
    r.pos = start;
    throw truncated(start, from + n - r.end);
  }
  r.pos = from + n;
  return from;
}

function text(r: PackReader, start: number, end: number): string | null {
  const { bytes } = r;
  // The least that a view must be worth: it is made once.
  if (end - start <= SHORT_TEXT || (r.view === null && r.end - start < VIEWED_BYTES)) {
    const ascii = readAscii(bytes, start, end);
    if (ascii !== null) return ascii;
  }
  return readUtf8(bytes, viewOf(r), start, end);
}

/** Text with its count. `ERR_INVALID_UTF8`. */
export function readText(r: PackReader): string {
  const start = r.pos;
  const from = skipCounted(r);
  const value = text(r, from, r.pos);
  if (value === null) throw refused("ERR_INVALID_UTF8", "malformed UTF-8", start);
  return value;
}

/** ASCII with its count, or without one, of exactly `length` characters. `ERR_INVALID_ASCII`. */
export function readAsciiText(r: PackReader, length = 0): string {
  const start = r.pos;
  const from = length === 0 ? skipCounted(r) : skipFixed(r, length);
  const value = text(r, from, r.pos);
  // As many characters as bytes: each is ASCII.
  if (value === null || value.length !== r.pos - from) throw refused("ERR_INVALID_ASCII", "not ASCII", start);
  return value;
}

/** Bytes with their count, or without one, of exactly `length`: a copy. */
export function readBinary(r: PackReader, length = 0): Uint8Array<ArrayBuffer> {
  const from = length === 0 ? skipCounted(r) : skipFixed(r, length);
  return new Uint8Array(r.bytes.subarray(from, r.pos));
}

/** The same as a view of the input. */
export function readBinaryView(r: PackReader, length = 0): Uint8Array<ArrayBuffer> {
  const from = length === 0 ? skipCounted(r) : skipFixed(r, length);
  const { bytes } = r; // of a Buffer, `subarray` would be one
  return new Uint8Array(bytes.buffer, bytes.byteOffset + from, r.pos - from);
}
