/**
 * Reading what a schema says is there: the ground of PCK's decoders, compiled or emitted. Functions over one small state, so
 * that a bundler keeps what a schema needs. Every one checks before it reads, and fails with the item's first byte. Numbers,
 * text and lists of numbers: pack-read-numbers.ts, pack-read-text.ts, pack-read-lists.ts.
 *
 * Format: docs/pck-format.md ("A decoder rejects").
 */
import { DecodeError, type ErrorCode } from "./errors.js";
import { truncated } from "./input.js";

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
export function cutShort({ bytes, end }: PackReader, pos: number, sizes: readonly number[]): DecodeError {
  for (const size of sizes) {
    const next = pos + (size < 0 ? Math.ceil(-size / 8) : size);
    if (next > end) return truncated(pos, next - end);
    if (size < 0 && (-size & 7) !== 0 && bytes[next - 1]! >> (-size & 7) !== 0) return notPadded(pos);
    pos = next;
  }
  return truncated(pos, 1);
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

/** Skips the `n` bytes of an item; answers where they begin. */
export function skipFixed(r: PackReader, n: number): number {
  need(r, n);
  r.pos += n;
  return r.pos - n;
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
  let value = 0;
  for (let p = start, shift = 0; p < end; shift += 7) {
    const byte = bytes[p++]!;
    if (shift === 28 && byte > 0x0f) throw refused("ERR_OUT_OF_RANGE", "a varint beyond 32 bits", start);
    value |= (byte & 0x7f) << shift;
    if (byte >= 0x80) continue;
    if (byte === 0) throw notShortest(start);
    r.pos = p;
    return shift === 28 ? value >>> 0 : value;
  }
  throw truncated(start, 1);
}

/** A varint that could be shorter. `offset`: where it begins. */
export function notShortest(offset: number): DecodeError {
  return refused("ERR_NOT_SHORTEST", "a varint with a last byte 00", offset);
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
