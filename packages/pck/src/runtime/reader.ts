/**
 * The base of PCK's decoders: a cursor, and functions that read counts, bits, flags and indices. They are functions and
 * not methods, so that a bundler keeps only those that a schema needs. Each one checks before it reads, and its error
 * has the offset of the item's first byte. Numbers, text and lists of numbers are in read-numbers.ts, read-text.ts and
 * read-lists.ts.
 *
 * Format: docs/pck-format.md ("Decoding errors").
 */
import {
  DecodeError,
  type ElementBudget,
  type ErrorCode,
  grantElements,
  MAX_KEYS,
  MAX_LIST_ELEMENTS,
  refillElements,
  truncated,
} from "moonpack/bytes";

/** A cursor over one message. */
export class PackReader implements ElementBudget {
  /** The memory that holds the message. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Start of the next item. */
  pos: number;
  /** End of the message: one past its last byte. */
  end: number;
  /** Fewest bytes that open containers still need for the elements that are not yet read. */
  reserved = 0;
  /** Limit of nested structs and containers; the root is level 1. */
  readonly maxDepth: number;
  /** High word of the 64-bit varint that was read last. */
  high = 0;
  /** A view over `bytes`; null until it is needed, since making it takes 190 ns. */
  view: DataView<ArrayBuffer> | null = null;
  /** See {@link ElementBudget}. */
  elementsLeft = 0;
  /** See {@link ElementBudget}. */
  elementsSpare = 0;

  /** The new reader has an empty element budget; see {@link countingReader}. */
  constructor(bytes: Uint8Array<ArrayBuffer>, pos: number, maxDepth: number) {
    this.bytes = bytes;
    this.pos = pos;
    this.end = bytes.length;
    this.maxDepth = maxDepth;
  }
}

/** Returns a reader of a whole message with an element budget. `maxElements`: 0 for the default. */
export function countingReader(bytes: Uint8Array<ArrayBuffer>, maxDepth: number, maxElements: number): PackReader {
  const reader = new PackReader(bytes, 0, maxDepth);
  grantElements(reader, maxElements, bytes.length);
  return reader;
}

/** Counts `weight` elements for the item at the cursor. Throws `ERR_LIMIT_ELEMENTS` when the budget is exhausted. */
export function countElements(r: PackReader, weight: number): void {
  if (weight > r.elementsLeft) refillElements(r, weight, r.pos);
  r.elementsLeft -= weight;
}

/** Returns the error of an item that begins at `offset`. */
export function refused(code: ErrorCode, text: string, offset: number): DecodeError {
  return new DecodeError(code, text, offset);
}

/** Checks that `n` bytes are left for the item at the cursor. Throws `ERR_TRUNCATED`. */
export function need(r: PackReader, n: number): void {
  if (r.pos + n > r.end) throw truncated(r.pos, r.pos + n - r.end);
}

/**
 * Returns the error of the first invalid item in a truncated block that begins at `pos`. `sizes`: bytes of each item; a
 * negative number -n stands for a store of n bits.
 */
export function truncatedBlock({ bytes, end }: PackReader, pos: number, sizes: readonly number[]): DecodeError {
  for (const size of sizes) {
    const next = pos + (size < 0 ? Math.ceil(-size / 8) : size);
    if (next > end) return truncated(pos, next - end);
    if (size < 0 && (-size & 7) !== 0 && bytes[next - 1]! >> (-size & 7) !== 0) return notPadded(pos);
    pos = next;
  }
  return truncated(pos, 1);
}

/** Returns the reader's DataView; makes it at the first call. */
export function viewOf(r: PackReader): DataView<ArrayBuffer> {
  const { view, bytes } = r;
  return view !== null ? view : (r.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length));
}

/** Checks that the message ends at the cursor. Throws `ERR_TRAILING_BYTES`. */
export function expectEnd(r: PackReader): void {
  if (r.pos !== r.end) throw refused("ERR_TRAILING_BYTES", "bytes are left over", r.pos);
}

/** Checks the depth of a struct or container. Throws `ERR_LIMIT_DEPTH` beyond `maxDepth`. */
export function checkDepth(r: PackReader, depth: number): void {
  if (depth > r.maxDepth) throw refused("ERR_LIMIT_DEPTH", `nested deeper than maxDepth (${r.maxDepth})`, r.pos);
}

/** Reads a u8. */
export function readU8(r: PackReader): number {
  need(r, 1);
  return r.bytes[r.pos++]!;
}

/** Skips an item of `n` bytes and returns its start. */
export function skipFixed(r: PackReader, n: number): number {
  need(r, n);
  r.pos += n;
  return r.pos - n;
}

/** Reads a uint32 varint (LEB128). Throws `ERR_OUT_OF_RANGE` above 2^32 - 1; `ERR_NOT_SHORTEST` for a last byte 00. */
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

/** Reads the rare case of {@link readUvar}: the varint at `start` has more than one byte, or is missing. */
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

/** Returns the error of a varint that could be shorter. `offset`: its start. */
export function notShortest(offset: number): DecodeError {
  return refused("ERR_NOT_SHORTEST", "a varint with a last byte 00", offset);
}

/** Reads an index into a list of `count` names. Throws `ERR_UNKNOWN_INDEX` beyond it. */
export function readIndex(r: PackReader, count: number): number {
  const start = r.pos;
  const index = readUvar(r);
  if (index >= count) throw refused("ERR_UNKNOWN_INDEX", `index ${index} of ${count} names`, start);
  return index;
}

/** Reads a byte 00 or 01 as a boolean. Throws `ERR_INVALID_PADDING` for any other byte. */
export function readFlag(r: PackReader): boolean {
  const byte = readU8(r);
  if (byte > 1) throw refused("ERR_INVALID_PADDING", "a byte that is neither 00 nor 01", r.pos - 1);
  return byte === 1;
}

/** Reads the flag before a nullable value. A value that is present counts `weight` elements. */
export function readPresent(r: PackReader, weight: number): boolean {
  const isPresent = readFlag(r);
  if (isPresent) countElements(r, weight);
  return isPresent;
}

/**
 * Skips a store of `count` bits (whole bytes) and returns its start. Throws `ERR_INVALID_PADDING` when a spare bit is not 0.
 */
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

/** Returns the error of a bit store at `offset` whose spare bits are not 0. */
export function notPadded(offset: number): DecodeError {
  return refused("ERR_INVALID_PADDING", "spare bits that are not 0", offset);
}

/** Returns the error of an optional field at `offset` that is present with the value that means absent. */
export function notCanonical(offset: number): DecodeError {
  return refused("ERR_NOT_CANONICAL", "a field that is present and means absent", offset);
}

/** Returns the error of a map key at `offset` that is not greater than the key before it. */
export function notAscending(offset: number): DecodeError {
  return refused("ERR_MAP_ORDER", "keys that do not ascend", offset);
}

/** Returns bit `i` of the store that begins at `start`. */
export function bitAt(r: PackReader, start: number, i: number): boolean {
  return ((r.bytes[start + (i >> 3)]! >> (i & 7)) & 1) === 1;
}

/**
 * Reads how many elements follow. `min`: fewest bytes of one element; `weight`: what one counts towards `maxElements`;
 * `most`: how many an engine can hold. Throws `ERR_LIMIT_ELEMENTS` when the bytes left cannot hold these elements and those still
 * reserved, when they are too many, or when the budget is exhausted. A caller whose elements contain counts adds the
 * elements to `reserved` while it reads them.
 */
export function readCount(r: PackReader, min: number, weight: number, most: number = MAX_LIST_ELEMENTS): number {
  const start = r.pos;
  const count = readUvar(r);
  if (r.reserved + count * min > r.end - r.pos) throw tooMany(count, start);
  if (count > most) throw tooLong(count, most, start);
  const elements = count * weight;
  if (elements > r.elementsLeft) refillElements(r, elements, start);
  r.elementsLeft -= elements;
  return count;
}

/** Works like {@link readCount}, for the entries of a map. */
export function readMapCount(r: PackReader, min: number, weight: number): number {
  return readCount(r, min, weight, MAX_KEYS);
}

/** Works like {@link readCount}, for elements that begin with a bit each: eight count as one element. */
export function readBitCount(r: PackReader): number {
  const start = r.pos;
  const count = readUvar(r);
  const size = Math.ceil(count / 8);
  if (r.reserved + size > r.end - r.pos) throw tooMany(count, start);
  if (count > MAX_LIST_ELEMENTS) throw tooLong(count, MAX_LIST_ELEMENTS, start);
  if (size > r.elementsLeft) refillElements(r, size, start);
  r.elementsLeft -= size;
  return count;
}

/** Checks that `count` items of `size` bytes each are left. Throws `ERR_TRUNCATED` at the first item that is not complete. */
export function needEach(r: PackReader, count: number, size: number): void {
  const left = r.end - r.pos;
  if (count * size > left) throw truncated(r.pos + left - (left % size), size - (left % size));
}

/** Reads `count` booleans, of one bit each. Throws the errors of {@link readBits}. */
export function readBools(r: PackReader, count: number): boolean[] {
  const start = readBits(r, count);
  const list: boolean[] = [];
  for (let i = 0; i < count; i++) list.push(bitAt(r, start, i));
  return list;
}

function tooLong(count: number, most: number, start: number): DecodeError {
  return refused("ERR_LIMIT_ELEMENTS", `${count} elements, more than ${most}`, start);
}

function tooMany(count: number, start: number): DecodeError {
  return refused("ERR_LIMIT_ELEMENTS", `${count} elements, more than the bytes left can hold`, start);
}
