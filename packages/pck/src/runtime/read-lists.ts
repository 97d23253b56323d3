/**
 * Reads lists of numbers, for closures, generated and emitted code. The bounds are checked once for the whole list, and
 * the list has its final length from the start.
 *
 * Hot, and long for a reason: each type has its own loop, so that V8 sees one kind of list in each. Loops over
 * types of 32 bits and more read four numbers a step: 10,000 take 33 us instead of 48.
 */

import { unzigzag32 } from "moonpack/bytes";
import { f32At, f64At, i16At, i32At, i64At, u16At, u32At, u64At } from "./fixed-width.js";
import { needEach, type PackReader, readLongUvar, readUvar, viewOf } from "./reader.js";

/** Shorter lists are read without a DataView: making one takes 190 ns. */
const VIEWED_ITEMS = 24;
/** Every engine stores numbers from here on as doubles, with or without pointer compression. */
const DOUBLES_FROM = 0x40000000;

// A list starts as a copy of one of these and is then overwritten. That keeps it packed, which `new Array(n)` does not,
// and takes a third of the time of `push`. 10,000 integers: 30 us, by `push` 80, by `new Array` 34 (Node 20). V8 has a
// separate list kind for doubles.
// Created at the first list.
let integers: readonly number[] | undefined;
let doubles: readonly number[] | undefined;

function integerTemplate(): readonly number[] {
  return (integers ??= Array.from(new Uint8Array(1024)));
}

function doubleTemplate(): readonly number[] {
  return (doubles ??= Array.from(new Float64Array(1024).fill(0.5)));
}

/** Returns a list of `count` numbers from the template, for the caller to overwrite. */
function filled(template: readonly number[], count: number): number[] {
  const list = template.slice(0, count & 1023);
  const whole = count >> 10;
  if (whole === 0) return list;
  if (whole > 1024) {
    const half = filled(template, count >> 1); // more copies would exceed the number of arguments that a call may have
    return half.concat(half, template.slice(0, count & 1));
  }
  return list.concat(...Array<readonly number[]>(whole).fill(template));
}

/** Skips `count` numbers of `size` bytes each and returns their start. */
function skipEach(r: PackReader, count: number, size: number): number {
  needEach(r, count, size);
  const start = r.pos;
  r.pos = start + count * size;
  return start;
}

/** Reads `count` numbers of type u8. */
export function readU8s(r: PackReader, count: number): number[] {
  const start = skipEach(r, count, 1);
  const { bytes } = r;
  const list = filled(integerTemplate(), count);
  for (let i = 0; i < count; i++) list[i] = bytes[start + i]!;
  return list;
}

/** Reads `count` numbers of type i8. */
export function readI8s(r: PackReader, count: number): number[] {
  const start = skipEach(r, count, 1);
  const { bytes } = r;
  const list = filled(integerTemplate(), count);
  for (let i = 0; i < count; i++) list[i] = (bytes[start + i]! << 24) >> 24;
  return list;
}

/** Reads `count` numbers of type u16. */
export function readU16s(r: PackReader, count: number): number[] {
  const start = skipEach(r, count, 2);
  const { bytes } = r;
  const list = filled(integerTemplate(), count);
  for (let i = 0; i < count; i++) list[i] = u16At(bytes, start + 2 * i);
  return list;
}

/** Reads `count` numbers of type i16. */
export function readI16s(r: PackReader, count: number): number[] {
  const start = skipEach(r, count, 2);
  const { bytes } = r;
  const list = filled(integerTemplate(), count);
  for (let i = 0; i < count; i++) list[i] = i16At(bytes, start + 2 * i);
  return list;
}

/**
 * Returns a list for 32-bit integers. Three samples decide between integers and doubles; after a wrong guess V8
 * converts the list at the first large number.
 */
function filledForWords(b: Uint8Array, start: number, count: number): number[] {
  if (count === 0) return [];
  const some = isLarge(b, start) || isLarge(b, start + 4 * (count >> 1)) || isLarge(b, start + 4 * (count - 1));
  return filled(some ? doubleTemplate() : integerTemplate(), count);
}

function isLarge(b: Uint8Array, p: number): boolean {
  const word = i32At(b, p);
  return word >= DOUBLES_FROM || word < -DOUBLES_FROM;
}

/** Reads `count` numbers of type u32. */
export function readU32s(r: PackReader, count: number): number[] {
  const start = skipEach(r, count, 4);
  const list = filledForWords(r.bytes, start, count);
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

/** Reads `count` numbers of type i32. */
export function readI32s(r: PackReader, count: number): number[] {
  const start = skipEach(r, count, 4);
  const list = filledForWords(r.bytes, start, count);
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

/** Reads `count` numbers of type f32 (IEEE 754). */
export function readF32s(r: PackReader, count: number): number[] {
  const start = skipEach(r, count, 4);
  const list = filled(doubleTemplate(), count);
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

/** Reads `count` numbers of type f64 (IEEE 754). */
export function readF64s(r: PackReader, count: number): number[] {
  const start = skipEach(r, count, 8);
  const list = filled(doubleTemplate(), count);
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

/** Reads `count` uint32 varints (LEB128). Throws the errors of `readUvar`. */
export function readUvars(r: PackReader, count: number): number[] {
  // A fixed length may exceed the bytes left. Nothing is allocated then: this loop ends with the error of the first bad
  // varint.
  if (count > r.end - r.pos) for (;;) readUvar(r);
  const list = filled(integerTemplate(), count);
  const isViewed = r.view !== null || count >= VIEWED_ITEMS;
  for (let i = 0; i < count; ) {
    if (isViewed) i = count - i > FEW_ITEMS ? readWords(r, viewOf(r), list, i) : readFew(r, viewOf(r), list, i);
    if (i < count) list[i++] = readUvar(r);
  }
  return list;
}

/** Up to this many elements are read one by one: readWords leaves its last ones to calls, which would be most of a short list. */
const FEW_ITEMS = 16;

/** Reads varints of up to four bytes from index `i` on, and returns the index of the first that is not read, as {@link readWords} does. */
function readFew(r: PackReader, view: DataView, list: number[], i: number): number {
  const last = r.end - 4;
  let p = r.pos;
  for (; i < list.length && p <= last; i++) {
    const word = view.getInt32(p, true);
    const end = lastTop(word);
    const bits = word & (end - 1);
    if (end === 0 || isPadded(bits, end) < 0) break;
    list[i] = packed(bits);
    p += (39 - Math.clz32(end)) >> 3;
  }
  r.pos = p;
  return i;
}

/** Elements of one call of {@link readWords}. */
const ITEMS_A_CALL = 1024;

/**
 * By the continuation bits of eight bytes: the size of the first three varints (bits 0 to 3), their number (4, 5), where the
 * second and the third begin (6 to 8, 9 to 11). 0 if the first has five bytes; starts that are missing are 0. Created at the
 * first list.
 */
let steps: Uint16Array | undefined;

function makeSteps(): Uint16Array {
  return Uint16Array.from({ length: 256 }, (_, bits) => {
    const ends: number[] = [];
    for (let p = 0, start = 0; p < 8 && p < start + 4 && ends.length < 3; p++) {
      if (((bits >> p) & 1) === 0) ends.push((start = p + 1));
    }
    const { length } = ends;
    const [one = 0, two = one, three = two] = ends;
    return three | (length << 4) | (length > 1 ? one << 6 : 0) | (length > 2 ? two << 9 : 0);
  });
}

/**
 * Reads some {@link ITEMS_A_CALL} varints from index `i` on, and returns the index of the first that is not read: near the
 * end, or not valid. No branch depends on the size of a varint, since in mixed lists the processor cannot predict it: 10,000
 * of 1 to 3 bytes take 44 us instead of 82. A call for each chunk, since V8 compiles one long loop without the code behind it.
 */
function readWords(r: PackReader, view: DataView, list: number[], i: number): number {
  const table = (steps ??= makeSteps());
  const stop = Math.min(list.length - 3, i + ITEMS_A_CALL);
  const last = r.end - 12;
  let p = r.pos;
  while (i < stop && p <= last) {
    const a = view.getInt32(p, true);
    if ((a & 0x80808080) === 0) {
      list[i] = a & 0x7f;
      list[i + 1] = (a >> 8) & 0x7f;
      list[i + 2] = (a >> 16) & 0x7f;
      list[i + 3] = a >> 24;
      i += 4;
      p += 4;
      continue;
    }
    // Ids have four bytes each. Where no number has, this branch is predicted.
    if ((a & 0x80808080) === 0x808080 && a >>> 24 !== 0) {
      list[i++] = packed(a & 0x7f7f7f7f);
      p += 4;
      continue;
    }
    const next = view.getInt32(p + 4, true);
    // The product moves bits 7, 15, 23 and 31 to the top.
    const low = Math.imul(a & 0x80808080, 0x204081) >>> 28;
    const step = table[low | ((Math.imul(next & 0x80808080, 0x204081) >>> 24) & 0xf0)]!;
    if (step === 0) {
      list[i++] = readLongUvar(r, p);
      p = r.pos;
      continue;
    }
    const b = view.getInt32(p + ((step >> 6) & 7), true);
    const c = view.getInt32(p + ((step >> 9) & 7), true);
    const aEnd = lastTop(a);
    const bEnd = lastTop(b);
    const cEnd = lastTop(c);
    const aBits = a & (aEnd - 1);
    const bBits = b & (bEnd - 1);
    const cBits = c & (cEnd - 1);
    if ((isPadded(aBits, aEnd) | isPadded(bBits, bEnd) | isPadded(cBits, cEnd)) < 0) break;
    list[i] = packed(aBits);
    list[i + 1] = packed(bBits);
    list[i + 2] = packed(cBits);
    i += (step >> 4) & 3;
    p += step & 15;
  }
  r.pos = p;
  return i;
}

/** The top bit of the last byte of a varint of up to four bytes. */
function lastTop(word: number): number {
  const ends = ~word & 0x80808080;
  return ends & -ends;
}

/** Negative if the last byte of a varint is 00 and not its only one. */
function isPadded(bits: number, end: number): number {
  return bits - ((end >>> 7) & ~1);
}

/** The number of a varint of up to four bytes, seven bits each. */
function packed(bits: number): number {
  const pairs = (bits & 0x7f007f) | ((bits >> 1) & 0x3f803f80);
  return (pairs & 0x3fff) | ((pairs >> 2) & 0xfffc000);
}

/** Reads `count` int32 varints (zigzag, LEB128). Throws the errors of `readUvar`. */
export function readIvars(r: PackReader, count: number): number[] {
  const list = readUvars(r, count);
  for (let i = 0; i < count; i++) list[i] = unzigzag32(list[i]!);
  return list;
}

/** Reads `count` numbers of type u64, as bigints. */
export function readU64s(r: PackReader, count: number): bigint[] {
  const start = skipEach(r, count, 8);
  const list: bigint[] = [];
  for (let i = 0; i < count; i++) list.push(u64At(r.bytes, start + 8 * i));
  return list;
}

/** Reads `count` numbers of type i64, as bigints. */
export function readI64s(r: PackReader, count: number): bigint[] {
  const start = skipEach(r, count, 8);
  const list: bigint[] = [];
  for (let i = 0; i < count; i++) list.push(i64At(r.bytes, start + 8 * i));
  return list;
}

/** A class of typed arrays, such as `Float32Array`. */
export interface TypedArrayClass<T> {
  new (buffer: ArrayBuffer): T;
  readonly BYTES_PER_ELEMENT: number;
}

/** Reads `count` numbers of fixed width into a new typed array. */
export function readTypedArray<T>(r: PackReader, count: number, Class: TypedArrayClass<T>): T {
  const { BYTES_PER_ELEMENT: size } = Class;
  const start = skipEach(r, count, size);
  const bytes = new Uint8Array(r.bytes.subarray(start, r.pos));
  if (!IS_LITTLE_ENDIAN) for (let p = 0; p < bytes.length; p += size) bytes.subarray(p, p + size).reverse();
  return new Class(bytes.buffer);
}

const IS_LITTLE_ENDIAN: boolean = /* @__PURE__ */ (() => new Uint8Array(Uint16Array.of(1).buffer)[0] === 1)();
