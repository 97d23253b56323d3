/**
 * Reading lists of numbers, as closures, generated and emitted code do: the bounds are looked at once, and the list has its
 * length from the beginning.
 *
 * Hot: one loop a type in this file, so that V8 sees one kind of list in each; four at once of 32 bits and more: 10,000 take 33 us
 * instead of 48.
 */
import { f32At, f64At, i16At, i32At, i64At, u16At, u32At, u64At } from "./pack-read-at.js";
import { needEach, notShortest, type PackReader, readLongUvar, readUvar, viewOf } from "./pack-reader.js";
import { unzigzag32 } from "./zigzag.js";

/** For fewer no view is made: that takes 190 ns. */
const VIEWED_ITEMS = 24;
/** Numbers from here on are doubles to every engine, pointers compressed or not. */
const DOUBLES_FROM = 0x40000000;

// Lists are copies of these, then filled: so they stay packed, which `new Array(n)` does not, and take a third of the time of
// `push`. 10,000 integers: 30 us, by `push` 80, by `new Array` 34 (Node 20). V8 keeps doubles apart.
const INTEGERS: readonly number[] = /* @__PURE__ */ Array.from(/* @__PURE__ */ new Uint8Array(1024));
const DOUBLES: readonly number[] = /* @__PURE__ */ Array.from(/* @__PURE__ */ new Float64Array(1024).fill(0.5));

/** A list of `count` numbers, whatever they are. */
function room(template: readonly number[], count: number): number[] {
  const list = template.slice(0, count & 1023);
  const whole = count >> 10;
  if (whole === 0) return list;
  if (whole > 1024) {
    const half = room(template, count >> 1); // more copies are more arguments than a call may have
    return half.concat(half, template.slice(0, count & 1));
  }
  return list.concat(...Array<readonly number[]>(whole).fill(template));
}

/** Skips `count` numbers of `size` bytes each; answers where they begin. */
function skipEach(r: PackReader, count: number, size: number): number {
  needEach(r, count, size);
  const start = r.pos;
  r.pos = start + count * size;
  return start;
}

/** Unsigned, 1 byte each. */
export function readU8s(r: PackReader, count: number): number[] {
  const start = skipEach(r, count, 1);
  const { bytes } = r;
  const list = room(INTEGERS, count);
  for (let i = 0; i < count; i++) list[i] = bytes[start + i]!;
  return list;
}

/** Signed, 1 byte each. */
export function readI8s(r: PackReader, count: number): number[] {
  const start = skipEach(r, count, 1);
  const { bytes } = r;
  const list = room(INTEGERS, count);
  for (let i = 0; i < count; i++) list[i] = (bytes[start + i]! << 24) >> 24;
  return list;
}

/** Unsigned, 2 bytes each. */
export function readU16s(r: PackReader, count: number): number[] {
  const start = skipEach(r, count, 2);
  const { bytes } = r;
  const list = room(INTEGERS, count);
  for (let i = 0; i < count; i++) list[i] = u16At(bytes, start + 2 * i);
  return list;
}

/** Signed, 2 bytes each. */
export function readI16s(r: PackReader, count: number): number[] {
  const start = skipEach(r, count, 2);
  const { bytes } = r;
  const list = room(INTEGERS, count);
  for (let i = 0; i < count; i++) list[i] = i16At(bytes, start + 2 * i);
  return list;
}

/** A list of 32-bit integers: three of them say whether they are large. If they did not, it moves when the first one comes. */
function roomOfWords(b: Uint8Array, start: number, count: number): number[] {
  if (count === 0) return [];
  const some = isLarge(b, start) || isLarge(b, start + 4 * (count >> 1)) || isLarge(b, start + 4 * (count - 1));
  return room(some ? DOUBLES : INTEGERS, count);
}

function isLarge(b: Uint8Array, p: number): boolean {
  const word = i32At(b, p);
  return word >= DOUBLES_FROM || word < -DOUBLES_FROM;
}

/** Unsigned, 4 bytes each. */
export function readU32s(r: PackReader, count: number): number[] {
  const start = skipEach(r, count, 4);
  const list = roomOfWords(r.bytes, start, count);
  if (count < VIEWED_ITEMS) {
    for (let i = 0; i < count; i++) list[i] = u32At(r.bytes, start + 4 * i);
    return list;
  }
  const view = viewOf(r);
  let i = 0;
  let p = start;
  for (const fours = count - 3; i < fours; i += 4, p += 16) {
    list[i] = view.getUint32(p, true);
    list[i + 1] = view.getUint32(p + 4, true);
    list[i + 2] = view.getUint32(p + 8, true);
    list[i + 3] = view.getUint32(p + 12, true);
  }
  for (; i < count; i++, p += 4) list[i] = view.getUint32(p, true);
  return list;
}

/** Signed, 4 bytes each. */
export function readI32s(r: PackReader, count: number): number[] {
  const start = skipEach(r, count, 4);
  const list = roomOfWords(r.bytes, start, count);
  if (count < VIEWED_ITEMS) {
    for (let i = 0; i < count; i++) list[i] = i32At(r.bytes, start + 4 * i);
    return list;
  }
  const view = viewOf(r);
  let i = 0;
  let p = start;
  for (const fours = count - 3; i < fours; i += 4, p += 16) {
    list[i] = view.getInt32(p, true);
    list[i + 1] = view.getInt32(p + 4, true);
    list[i + 2] = view.getInt32(p + 8, true);
    list[i + 3] = view.getInt32(p + 12, true);
  }
  for (; i < count; i++, p += 4) list[i] = view.getInt32(p, true);
  return list;
}

/** IEEE 754, 4 bytes each. */
export function readF32s(r: PackReader, count: number): number[] {
  const start = skipEach(r, count, 4);
  const list = room(DOUBLES, count);
  if (count < VIEWED_ITEMS) {
    for (let i = 0; i < count; i++) list[i] = f32At(r.bytes, start + 4 * i);
    return list;
  }
  const view = viewOf(r);
  let i = 0;
  let p = start;
  for (const fours = count - 3; i < fours; i += 4, p += 16) {
    list[i] = view.getFloat32(p, true);
    list[i + 1] = view.getFloat32(p + 4, true);
    list[i + 2] = view.getFloat32(p + 8, true);
    list[i + 3] = view.getFloat32(p + 12, true);
  }
  for (; i < count; i++, p += 4) list[i] = view.getFloat32(p, true);
  return list;
}

/** IEEE 754, 8 bytes each. */
export function readF64s(r: PackReader, count: number): number[] {
  const start = skipEach(r, count, 8);
  const list = room(DOUBLES, count);
  if (count < VIEWED_ITEMS) {
    for (let i = 0; i < count; i++) list[i] = f64At(r.bytes, start + 8 * i);
    return list;
  }
  const view = viewOf(r);
  let i = 0;
  let p = start;
  for (const fours = count - 3; i < fours; i += 4, p += 32) {
    list[i] = view.getFloat64(p, true);
    list[i + 1] = view.getFloat64(p + 8, true);
    list[i + 2] = view.getFloat64(p + 16, true);
    list[i + 3] = view.getFloat64(p + 24, true);
  }
  for (; i < count; i++, p += 8) list[i] = view.getFloat64(p, true);
  return list;
}

/** uint32 as LEB128. Errors as of `readUvar`. */
export function readUvars(r: PackReader, count: number): number[] {
  // A fixed length may be more than there is: nothing is allocated ahead of the bytes. One of these is the error.
  if (count > r.end - r.pos) for (;;) readUvar(r);
  const list = room(INTEGERS, count);
  const isViewed = r.view !== null || count >= VIEWED_ITEMS;
  for (let i = isViewed ? readWords(r, list) : 0; i < count; i++) list[i] = readUvar(r);
  return list;
}

/** The top bits of four bytes: those that say "more". */
const TOPS = 0x80808080 | 0;

/**
 * Reads varints while four bytes are left; answers how many. Without a branch that depends on the size, which in mixed lists
 * nothing foretells: 10,000 of 1 to 3 bytes take 95 us instead of 150. Four of one byte at once: 31 instead of 50.
 */
function readWords(r: PackReader, list: number[]): number {
  const view = viewOf(r);
  const fours = list.length - 3;
  const last = r.end - 4;
  let p = r.pos;
  let i = 0;
  while (i < list.length && p <= last) {
    const word = view.getInt32(p, true);
    const ends = ~word & TOPS;
    if (ends === TOPS && i < fours) {
      list[i] = word & 0x7f;
      list[i + 1] = (word >> 8) & 0x7f;
      list[i + 2] = (word >> 16) & 0x7f;
      list[i + 3] = word >> 24;
      i += 4;
      p += 4;
    } else if (ends === 0) {
      list[i++] = readLongUvar(r, p);
      p = r.pos;
    } else {
      const end = ends & -ends; // the top bit of its last byte
      const bytes = word & (end - 1);
      if (bytes < end >>> 7 && end !== 0x80) throw notShortest(p);
      p += (39 - Math.clz32(end)) >> 3;
      const pairs = (bytes & 0x7f007f) | ((bytes >> 1) & 0x3f803f80);
      list[i++] = (pairs & 0x3fff) | ((pairs >> 2) & 0xfffc000);
    }
  }
  r.pos = p;
  return i;
}

/** int32 as zigzagged LEB128. */
export function readIvars(r: PackReader, count: number): number[] {
  const list = readUvars(r, count);
  for (let i = 0; i < count; i++) list[i] = unzigzag32(list[i]!);
  return list;
}

/** Unsigned, 8 bytes each. */
export function readU64s(r: PackReader, count: number): bigint[] {
  const start = skipEach(r, count, 8);
  const list: bigint[] = [];
  for (let i = 0; i < count; i++) list.push(u64At(r.bytes, start + 8 * i));
  return list;
}

/** Signed, 8 bytes each. */
export function readI64s(r: PackReader, count: number): bigint[] {
  const start = skipEach(r, count, 8);
  const list: bigint[] = [];
  for (let i = 0; i < count; i++) list.push(i64At(r.bytes, start + 8 * i));
  return list;
}

/** A class of typed arrays. */
export interface TypedArrayClass<T> {
  new (buffer: ArrayBuffer): T;
  readonly BYTES_PER_ELEMENT: number;
}

/** Fixed-width numbers as a typed array of their own. */
export function readTypedArray<T>(r: PackReader, count: number, Class: TypedArrayClass<T>): T {
  const { BYTES_PER_ELEMENT: size } = Class;
  const start = skipEach(r, count, size);
  const bytes = new Uint8Array(r.bytes.subarray(start, r.pos));
  if (!IS_LITTLE_ENDIAN) for (let p = 0; p < bytes.length; p += size) bytes.subarray(p, p + size).reverse();
  return new Class(bytes.buffer);
}

const IS_LITTLE_ENDIAN: boolean = /* @__PURE__ */ (() => new Uint8Array(Uint16Array.of(1).buffer)[0] === 1)();
