/**
 * Numbers and flags into a {@link PackWriter}. `write..` does all of it; code that makes room for several at once checks by
 * `as..` and stores by itself or by `put..`, which answers the place after it.
 */
import { describe, type MoonpackError } from "./errors.js";
import { notIn, notOfType, type PackWriter, refuse } from "./pack-writer.js";
import { putUvar32, putUvar64 } from "./varint.js";
import { zigzag32, zigzag64High, zigzag64Low } from "./zigzag.js";

// The checks are small enough for V8 to put them in line everywhere; what they throw is made elsewhere. `typeof` is first
// since a bigint has no `&` with a number, and an object's `valueOf` must not run.

/** An integer from 0 to 255. */
export function asU8(value: number): number {
  return typeof value === "number" && (value & 0xff) === value ? value : none("u8", value);
}

/** An integer from -128 to 127. */
export function asI8(value: number): number {
  return typeof value === "number" && (value << 24) >> 24 === value ? value : none("i8", value);
}

/** An unsigned integer of 2 bytes. */
export function asU16(value: number): number {
  return typeof value === "number" && (value & 0xffff) === value ? value : none("u16", value);
}

/** A signed integer of 2 bytes. */
export function asI16(value: number): number {
  return typeof value === "number" && (value << 16) >> 16 === value ? value : none("i16", value);
}

/** An unsigned integer of 4 bytes. */
export function asU32(value: number): number {
  return typeof value === "number" && value >>> 0 === value ? value : none("u32", value);
}

/** A signed integer of 4 bytes. */
export function asI32(value: number): number {
  return typeof value === "number" && (value | 0) === value ? value : none("i32", value);
}

/** What a boolean is in bits. */
export function asBit(value: boolean): 0 | 1 {
  return value === true ? 1 : value === false ? 0 : noFlag(value);
}

function none(type: string, value: number): never {
  throw notIn(type, value);
}

function noFlag(value: unknown): never {
  throw notOfType("a boolean", value);
}

/** The place of a name in a list. */
export function asPlace(value: string, places: ReadonlyMap<string, number>): number {
  const place = places.get(value);
  if (place === undefined) throw unknownName(value);
  return place;
}

/** A name that is not in a list, or none at all. */
export function unknownName(value: unknown): MoonpackError {
  if (typeof value !== "string") return notOfType("a name", value);
  return refuse("ERR_OUT_OF_RANGE", `unknown name ${JSON.stringify(value.slice(0, 80))}`);
}

/** The places of names in a list. */
export function placesOf(names: readonly string[]): ReadonlyMap<string, number> {
  return new Map(names.map((name, place) => [name, place]));
}

/** Is the number +0 once it is rounded to 4 bytes? */
export function isZeroF32(value: unknown): boolean {
  return typeof value === "number" && Object.is(Math.fround(value), 0);
}

const CANONICAL_NAN = 0x7ff8000000000000n;

/** IEEE 754, 4 bytes, rounded to nearest, ties to even. A finite number that overflows is `ERR_OUT_OF_RANGE`. */
export function putF32(view: DataView, p: number, value: number): number {
  const rounded = typeof value === "number" ? Math.fround(value) : none("f32", value);
  if (rounded !== value) {
    if (Number.isNaN(value)) {
      view.setInt32(p, 0x7fc00000, true);
      return p + 4;
    }
    if (Math.abs(rounded) === Infinity) throw notIn("f32", value);
  }
  view.setFloat32(p, rounded, true);
  return p + 4;
}

/** IEEE 754, 8 bytes. */
export function putF64(view: DataView, p: number, value: number): number {
  if (typeof value !== "number") throw notOfType("f64", value);
  if (Number.isNaN(value)) view.setBigInt64(p, CANONICAL_NAN, true);
  else view.setFloat64(p, value, true);
  return p + 8;
}

// Scratch of one call: filled and read at once.
const wide = /* @__PURE__ */ new DataView(/* @__PURE__ */ new ArrayBuffer(8));
const words = { low: 0, high: 0 };

/** Takes a 64-bit integer apart into `words`. */
function split(value: bigint | number, isSigned: boolean): void {
  if (typeof value === "number") {
    if (!Number.isSafeInteger(value)) {
      const type = isSigned ? "signed" : "unsigned";
      if (!Number.isInteger(value)) throw notIn(`${type} 64-bit integer`, value);
      throw refuse("ERR_UNSAFE_INTEGER", `${value} is beyond 2^53 - 1: pass a bigint`);
    }
    if (value < 0 && !isSigned) throw notIn("unsigned 64-bit integer", value);
    words.low = value | 0;
    words.high = Math.floor(value / 0x100000000) | 0;
    return;
  }
  if (typeof value !== "bigint") throw notOfType("a 64-bit integer", value);
  if (isSigned) wide.setBigInt64(0, value);
  else wide.setBigUint64(0, value);
  if ((isSigned ? wide.getBigInt64(0) : wide.getBigUint64(0)) !== value) {
    throw refuse("ERR_OUT_OF_RANGE", `${describe(value)} is beyond 64 bits`);
  }
  words.low = wide.getInt32(4);
  words.high = wide.getInt32(0);
}

function putWords(view: DataView, p: number): number {
  view.setInt32(p, words.low, true);
  view.setInt32(p + 4, words.high, true);
  return p + 8;
}

/** Unsigned, 8 bytes; of a bigint or a safe number. */
export function putU64(view: DataView, p: number, value: bigint | number): number {
  split(value, false);
  return putWords(view, p);
}

/** Signed, 8 bytes; of a bigint or a safe number. */
export function putI64(view: DataView, p: number, value: bigint | number): number {
  split(value, true);
  return putWords(view, p);
}

/** A uint64 as LEB128, up to 10 bytes; of a bigint or a safe number. */
export function putWideUvar(b: Uint8Array, p: number, value: bigint | number): number {
  split(value, false);
  return putUvar64(b, p, words.low >>> 0, words.high >>> 0);
}

/** An int64 as zigzagged LEB128, up to 10 bytes; of a bigint or a safe number. */
export function putWideIvar(b: Uint8Array, p: number, value: bigint | number): number {
  split(value, true);
  const { low, high } = words;
  return putUvar64(b, p, zigzag64Low(low, high), zigzag64High(low, high));
}

function writeByte(w: PackWriter, value: number): void {
  w.reserve(1);
  w.bytes[w.pos++] = value;
}

/** Unsigned, 1 byte. */
export function writeU8(w: PackWriter, value: number): void {
  writeByte(w, asU8(value));
}

/** Signed, 1 byte. */
export function writeI8(w: PackWriter, value: number): void {
  writeByte(w, asI8(value));
}

function write16(w: PackWriter, value: number): void {
  w.reserve(2);
  w.view.setInt16(w.pos, value, true);
  w.pos += 2;
}

/** Unsigned, 2 bytes. */
export function writeU16(w: PackWriter, value: number): void {
  write16(w, asU16(value));
}

/** Signed, 2 bytes. */
export function writeI16(w: PackWriter, value: number): void {
  write16(w, asI16(value));
}

function write32(w: PackWriter, value: number): void {
  w.reserve(4);
  w.view.setInt32(w.pos, value, true);
  w.pos += 4;
}

/** Unsigned, 4 bytes. */
export function writeU32(w: PackWriter, value: number): void {
  write32(w, asU32(value));
}

/** Signed, 4 bytes. */
export function writeI32(w: PackWriter, value: number): void {
  write32(w, asI32(value));
}

/** IEEE 754, 4 bytes; see {@link putF32}. */
export function writeF32(w: PackWriter, value: number): void {
  w.reserve(4);
  w.pos = putF32(w.view, w.pos, value);
}

/** IEEE 754, 8 bytes. */
export function writeF64(w: PackWriter, value: number): void {
  w.reserve(8);
  w.pos = putF64(w.view, w.pos, value);
}

/** Unsigned, 8 bytes; of a bigint or a safe number. */
export function writeU64(w: PackWriter, value: bigint | number): void {
  w.reserve(8);
  w.pos = putU64(w.view, w.pos, value);
}

/** Signed, 8 bytes; of a bigint or a safe number. */
export function writeI64(w: PackWriter, value: bigint | number): void {
  w.reserve(8);
  w.pos = putI64(w.view, w.pos, value);
}

/** A uint32 as LEB128. */
export function writeUvar(w: PackWriter, value: number): void {
  w.reserve(5);
  w.pos = putUvar32(w.bytes, w.pos, asU32(value));
}

/** An int32 as zigzagged LEB128. */
export function writeIvar(w: PackWriter, value: number): void {
  w.reserve(5);
  w.pos = putUvar32(w.bytes, w.pos, zigzag32(asI32(value)));
}

/** A uint64 as LEB128; of a bigint or a safe number. */
export function writeUvar64(w: PackWriter, value: bigint | number): void {
  w.reserve(10);
  w.pos = putWideUvar(w.bytes, w.pos, value);
}

/** An int64 as zigzagged LEB128; of a bigint or a safe number. */
export function writeIvar64(w: PackWriter, value: bigint | number): void {
  w.reserve(10);
  w.pos = putWideIvar(w.bytes, w.pos, value);
}

/** A name's place in a list, as LEB128. */
export function writeIndex(w: PackWriter, value: string, places: ReadonlyMap<string, number>): void {
  writeUvar(w, asPlace(value, places));
}

/** A byte 00 or 01. */
export function writeFlag(w: PackWriter, value: boolean): void {
  writeByte(w, asBit(value));
}
