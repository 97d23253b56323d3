/**
 * Writes single numbers, flags and names. `write..` functions check the value, reserve space and store it. Code that
 * reserves space for several values together checks by `as..` and stores by itself, or by `put..`, which returns the
 * position after it.
 */
import {
  describe,
  type MoonpackError,
  putUvar32,
  putUvar64,
  zigzag32,
  zigzag64High,
  zigzag64Low,
} from "moonpack/bytes";
import { notIn, notOfType, type PackWriter, refuse } from "./writer.js";

// The checks are small, so that V8 inlines them everywhere; their errors are made elsewhere. `typeof` comes first
// because `&` throws for a bigint and would run the `valueOf` of an object.

/** Returns the value if it is an integer from 0 to 255. Throws `ERR_OUT_OF_RANGE`, `ERR_UNSUPPORTED_TYPE`. */
export function asU8(value: number): number {
  return typeof value === "number" && (value & 0xff) === value ? value : invalid("u8 (0 to 255)", value);
}

/** Returns the value if it is a valid i8. Throws the errors of {@link asU8}. */
export function asI8(value: number): number {
  return typeof value === "number" && (value << 24) >> 24 === value ? value : invalid("i8 (-128 to 127)", value);
}

/** Returns the value if it is a valid u16. Throws the errors of {@link asU8}. */
export function asU16(value: number): number {
  return typeof value === "number" && (value & 0xffff) === value ? value : invalid("u16 (0 to 65535)", value);
}

/** Returns the value if it is a valid i16. Throws the errors of {@link asU8}. */
export function asI16(value: number): number {
  return typeof value === "number" && (value << 16) >> 16 === value ? value : invalid("i16 (-32768 to 32767)", value);
}

/** Returns the value if it is a valid u32. Throws the errors of {@link asU8}. */
export function asU32(value: number): number {
  return typeof value === "number" && value >>> 0 === value ? value : invalid("u32 (0 to 2^32 - 1)", value);
}

/** Returns the value if it is a valid i32. Throws the errors of {@link asU8}. */
export function asI32(value: number): number {
  return typeof value === "number" && (value | 0) === value ? value : invalid("i32 (-2^31 to 2^31 - 1)", value);
}

/** Returns 1 for true and 0 for false. Throws `ERR_UNSUPPORTED_TYPE` for any other value. */
export function asBit(value: boolean): 0 | 1 {
  return value === true ? 1 : value === false ? 0 : notBoolean(value);
}

function invalid(type: string, value: number): never {
  throw notIn(type, value);
}

function notBoolean(value: unknown): never {
  throw notOfType("a boolean", value);
}

/** Returns the index of a name. `places` comes from {@link placesOf}. Throws the errors of {@link unknownName}. */
export function asPlace(value: string, places: ReadonlyMap<string, number>): number {
  const place = places.get(value);
  if (place === undefined) throw unknownName(value);
  return place;
}

/**
 * Returns the error of an unknown name: `ERR_OUT_OF_RANGE`, or `ERR_UNSUPPORTED_TYPE` for a value that is not a string.
 */
export function unknownName(value: unknown): MoonpackError {
  if (typeof value !== "string") return notOfType("a name", value);
  return refuse("ERR_OUT_OF_RANGE", `unknown name ${JSON.stringify(value.slice(0, 80))}`);
}

/** Returns the index of each name in a list. */
export function placesOf(names: readonly string[]): ReadonlyMap<string, number> {
  return new Map(names.map((name, place) => [name, place]));
}

/** Returns true for a number that an f32 stores as +0. */
export function isZeroF32(value: unknown): boolean {
  return typeof value === "number" && Object.is(Math.fround(value), 0);
}

const CANONICAL_NAN = 0x7ff8000000000000n;

/**
 * Stores an f32 (IEEE 754, rounded to nearest, ties to even) at `p` and returns the position after it.
 * Throws `ERR_OUT_OF_RANGE` for a finite number that overflows.
 */
export function putF32(view: DataView, p: number, value: number): number {
  const rounded = typeof value === "number" ? Math.fround(value) : invalid("f32", value);
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

/** Stores an f64 (IEEE 754) at `p` and returns the position after it. */
export function putF64(view: DataView, p: number, value: number): number {
  if (typeof value !== "number") throw notOfType("f64", value);
  if (Number.isNaN(value)) view.setBigInt64(p, CANONICAL_NAN, true);
  else view.setFloat64(p, value, true);
  return p + 8;
}

// Filled and read within one call of a function below.
const wide = /* @__PURE__ */ new DataView(/* @__PURE__ */ new ArrayBuffer(8));
const words = { low: 0, high: 0 };

function notWide(value: bigint | number, isSigned: boolean): MoonpackError {
  const type = isSigned ? "i64 (-2^63 to 2^63 - 1)" : "u64 (0 to 2^64 - 1)";
  return refuse("ERR_OUT_OF_RANGE", `${describe(value)} is not a valid ${type}`);
}

/** Splits a 64-bit integer into the two halves of `words`. */
function split(value: bigint | number, isSigned: boolean): void {
  if (typeof value === "number") {
    if (!Number.isSafeInteger(value)) {
      if (!Number.isInteger(value)) throw notWide(value, isSigned);
      throw refuse("ERR_UNSAFE_INTEGER", `${value} is beyond 2^53 - 1: pass a bigint`);
    }
    if (value < 0 && !isSigned) throw notWide(value, isSigned);
    words.low = value | 0;
    words.high = Math.floor(value / 0x100000000) | 0;
    return;
  }
  if (typeof value !== "bigint") throw notOfType("a 64-bit integer", value);
  if (isSigned) wide.setBigInt64(0, value);
  else wide.setBigUint64(0, value);
  if ((isSigned ? wide.getBigInt64(0) : wide.getBigUint64(0)) !== value) throw notWide(value, isSigned);
  words.low = wide.getInt32(4);
  words.high = wide.getInt32(0);
}

function putWords(view: DataView, p: number): number {
  view.setInt32(p, words.low, true);
  view.setInt32(p + 4, words.high, true);
  return p + 8;
}

/** Stores a u64, given as a bigint or a safe integer, at `p` and returns the position after it. */
export function putU64(view: DataView, p: number, value: bigint | number): number {
  split(value, false);
  return putWords(view, p);
}

/** Stores an i64, given as a bigint or a safe integer, at `p` and returns the position after it. */
export function putI64(view: DataView, p: number, value: bigint | number): number {
  split(value, true);
  return putWords(view, p);
}

/**
 * Stores a uint64 varint (LEB128, up to 10 bytes), given as a bigint or a safe integer, and returns the position after
 * it.
 */
export function putWideUvar(b: Uint8Array, p: number, value: bigint | number): number {
  split(value, false);
  return putUvar64(b, p, words.low >>> 0, words.high >>> 0);
}

/**
 * Stores an int64 varint (zigzag, up to 10 bytes), given as a bigint or a safe integer, and returns the position after
 * it.
 */
export function putWideIvar(b: Uint8Array, p: number, value: bigint | number): number {
  split(value, true);
  const { low, high } = words;
  return putUvar64(b, p, zigzag64Low(low, high), zigzag64High(low, high));
}

function writeByte(w: PackWriter, value: number): void {
  w.reserve(1);
  w.bytes[w.pos++] = value;
}

/** Writes a u8. */
export function writeU8(w: PackWriter, value: number): void {
  writeByte(w, asU8(value));
}

/** Writes an i8. */
export function writeI8(w: PackWriter, value: number): void {
  writeByte(w, asI8(value));
}

function write16(w: PackWriter, value: number): void {
  w.reserve(2);
  w.view.setInt16(w.pos, value, true);
  w.pos += 2;
}

/** Writes a u16. */
export function writeU16(w: PackWriter, value: number): void {
  write16(w, asU16(value));
}

/** Writes an i16. */
export function writeI16(w: PackWriter, value: number): void {
  write16(w, asI16(value));
}

function write32(w: PackWriter, value: number): void {
  w.reserve(4);
  w.view.setInt32(w.pos, value, true);
  w.pos += 4;
}

/** Writes a u32. */
export function writeU32(w: PackWriter, value: number): void {
  write32(w, asU32(value));
}

/** Writes an i32. */
export function writeI32(w: PackWriter, value: number): void {
  write32(w, asI32(value));
}

/** Writes an f32; see {@link putF32}. */
export function writeF32(w: PackWriter, value: number): void {
  w.reserve(4);
  w.pos = putF32(w.view, w.pos, value);
}

/** Writes an f64 (IEEE 754). */
export function writeF64(w: PackWriter, value: number): void {
  w.reserve(8);
  w.pos = putF64(w.view, w.pos, value);
}

/**
 * Writes a u64, given as a bigint or a safe integer. Throws `ERR_OUT_OF_RANGE`, `ERR_UNSAFE_INTEGER`, `ERR_UNSUPPORTED_TYPE`.
 */
export function writeU64(w: PackWriter, value: bigint | number): void {
  w.reserve(8);
  w.pos = putU64(w.view, w.pos, value);
}

/** Writes an i64, given as a bigint or a safe integer. Throws the errors of {@link writeU64}. */
export function writeI64(w: PackWriter, value: bigint | number): void {
  w.reserve(8);
  w.pos = putI64(w.view, w.pos, value);
}

/** Writes a uint32 varint (LEB128). */
export function writeUvar(w: PackWriter, value: number): void {
  w.reserve(5);
  w.pos = putUvar32(w.bytes, w.pos, asU32(value));
}

/** Writes an int32 varint (zigzag, LEB128). */
export function writeIvar(w: PackWriter, value: number): void {
  w.reserve(5);
  w.pos = putUvar32(w.bytes, w.pos, zigzag32(asI32(value)));
}

/** Writes a uint64 varint (LEB128), given as a bigint or a safe integer. Throws the errors of {@link writeU64}. */
export function writeUvar64(w: PackWriter, value: bigint | number): void {
  w.reserve(10);
  w.pos = putWideUvar(w.bytes, w.pos, value);
}

/** Writes an int64 varint (zigzag, LEB128), given as a bigint or a safe integer. Throws the errors of {@link writeU64}. */
export function writeIvar64(w: PackWriter, value: bigint | number): void {
  w.reserve(10);
  w.pos = putWideIvar(w.bytes, w.pos, value);
}

/** Writes the index of a name as a varint. `places` comes from {@link placesOf}. Throws the errors of {@link unknownName}. */
export function writeIndex(w: PackWriter, value: string, places: ReadonlyMap<string, number>): void {
  writeUvar(w, asPlace(value, places));
}

/** Writes a boolean as a byte 00 or 01. */
export function writeFlag(w: PackWriter, value: boolean): void {
  writeByte(w, asBit(value));
}
