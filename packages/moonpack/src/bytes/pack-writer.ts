/**
 * Writing what a schema says: the ground of PCK's encoders, compiled or emitted. Functions over one small state, so that a
 * bundler keeps what a schema needs. Every one checks its value and makes room before it writes.
 *
 * Format: docs/pck-format.md ("An encoder's error").
 */
import { writeUtf8 } from "#utf8";
import { GrowingMemory } from "./buffer.js";
import { describe, EncodeError, type ErrorCode, MoonpackError } from "./errors.js";
import { putUvar32, putUvar64, uvar32Size } from "./varint.js";
import { zigzag32, zigzag64High, zigzag64Low } from "./zigzag.js";

/** Memory that a message is written to. */
export class PackWriter extends GrowingMemory {
  /** How deep structs and containers may be nested; the root is 1. */
  readonly maxDepth: number;

  constructor(initialBytes: number, maxDepth: number) {
    super(initialBytes);
    this.maxDepth = maxDepth;
  }

  /** Makes room for `n` bytes; `bytes` and `view` may be others afterwards. */
  reserve(n: number): void {
    if (this.pos + n > this.bytes.length) this.grow(n);
  }
}

/** A value that cannot be written, and where it lies in the struct that is being written. Becomes an {@link EncodeError}. */
class Refusal extends MoonpackError {
  readonly path: string;
  constructor(code: ErrorCode, message: string, path: string, cause?: unknown) {
    super(code, message, cause);
    this.path = path;
  }
}

/** Refuses a value: what was expected is named, and the value described. */
export function refuse(code: ErrorCode, text: string): MoonpackError {
  return new Refusal(code, text, "");
}

/** A value of a wrong type. */
export function notOfType(type: string, value: unknown): MoonpackError {
  return refuse("ERR_UNSUPPORTED_TYPE", `expected ${type}, not ${describe(value)}`);
}

/** A number that is none of the type, or no number at all. */
export function notIn(type: string, value: unknown): MoonpackError {
  if (typeof value !== "number") return notOfType(type, value);
  return refuse("ERR_OUT_OF_RANGE", `${value} is no ${type}`);
}

/** `error`, which was met at `path` below here (`.name`, `[3]`); what user code threw becomes `ERR_USER_CODE`. */
export function within(error: unknown, path: string): MoonpackError {
  if (error instanceof Refusal) return new Refusal(error.code, error.message, path + error.path, error.cause);
  if (error instanceof MoonpackError && error.code === "ERR_LIMIT_BYTES") return error; // no memory, wherever that was
  return new Refusal("ERR_USER_CODE", "a getter threw; see cause", path, error);
}

/** The step of a map's key in a path. */
export function keyStep(key: unknown): string {
  return `[${JSON.stringify(typeof key === "bigint" ? String(key) : key)}]`;
}

/** What a whole message's error is. */
export function encodeError(error: unknown): MoonpackError {
  if (error instanceof Refusal) return new EncodeError(error.code, error.message, `$${error.path}`, error.cause);
  return error as MoonpackError;
}

/** A container or struct at this depth. `ERR_LIMIT_DEPTH`. */
export function checkNesting(w: PackWriter, depth: number): void {
  if (depth > w.maxDepth) throw refuse("ERR_LIMIT_DEPTH", `nested deeper than ${w.maxDepth}`);
}

/** Unsigned, 1 byte. */
export function writeU8(w: PackWriter, value: number): void {
  if ((value & 0xff) !== value) throw notIn("u8", value);
  w.reserve(1);
  w.bytes[w.pos++] = value;
}

/** Signed, 1 byte. */
export function writeI8(w: PackWriter, value: number): void {
  if ((value << 24) >> 24 !== value) throw notIn("i8", value);
  w.reserve(1);
  w.bytes[w.pos++] = value;
}

function put16(w: PackWriter, value: number): void {
  w.reserve(2);
  const { bytes, pos } = w;
  bytes[pos] = value;
  bytes[pos + 1] = value >> 8;
  w.pos = pos + 2;
}

/** Unsigned, 2 bytes. */
export function writeU16(w: PackWriter, value: number): void {
  if ((value & 0xffff) !== value) throw notIn("u16", value);
  put16(w, value);
}

/** Signed, 2 bytes. */
export function writeI16(w: PackWriter, value: number): void {
  if ((value << 16) >> 16 !== value) throw notIn("i16", value);
  put16(w, value);
}

function put32(w: PackWriter, value: number): void {
  w.reserve(4);
  w.view.setInt32(w.pos, value, true);
  w.pos += 4;
}

/** Unsigned, 4 bytes. */
export function writeU32(w: PackWriter, value: number): void {
  if (value >>> 0 !== value) throw notIn("u32", value);
  put32(w, value);
}

/** Signed, 4 bytes. */
export function writeI32(w: PackWriter, value: number): void {
  if ((value | 0) !== value) throw notIn("i32", value);
  put32(w, value);
}

/** IEEE 754, 4 bytes, rounded to nearest, ties to even. A finite number that overflows is `ERR_OUT_OF_RANGE`. */
export function writeF32(w: PackWriter, value: number): void {
  const rounded = Math.fround(value);
  if (typeof value !== "number" || (Math.abs(rounded) === Infinity && rounded !== value)) throw notIn("f32", value);
  w.reserve(4);
  if (Number.isNaN(value)) w.view.setInt32(w.pos, 0x7fc00000, true);
  else w.view.setFloat32(w.pos, value, true);
  w.pos += 4;
}

/** IEEE 754, 8 bytes. */
export function writeF64(w: PackWriter, value: number): void {
  if (typeof value !== "number") throw notOfType("f64", value);
  w.reserve(8);
  if (Number.isNaN(value)) w.view.setBigInt64(w.pos, CANONICAL_NAN, true);
  else w.view.setFloat64(w.pos, value, true);
  w.pos += 8;
}

const CANONICAL_NAN = 0x7ff8000000000000n;

// Scratch of one call: filled and read at once.
const scratch = /* @__PURE__ */ new DataView(/* @__PURE__ */ new ArrayBuffer(8));
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
  if (isSigned) scratch.setBigInt64(0, value);
  else scratch.setBigUint64(0, value);
  if ((isSigned ? scratch.getBigInt64(0) : scratch.getBigUint64(0)) !== value) {
    throw refuse("ERR_OUT_OF_RANGE", `${describe(value)} is beyond 64 bits`);
  }
  words.low = scratch.getInt32(4);
  words.high = scratch.getInt32(0);
}

function put64(w: PackWriter): void {
  w.reserve(8);
  const { view, pos } = w;
  view.setInt32(pos, words.low, true);
  view.setInt32(pos + 4, words.high, true);
  w.pos = pos + 8;
}

/** Unsigned, 8 bytes; of a bigint or a safe number. */
export function writeU64(w: PackWriter, value: bigint | number): void {
  split(value, false);
  put64(w);
}

/** Signed, 8 bytes; of a bigint or a safe number. */
export function writeI64(w: PackWriter, value: bigint | number): void {
  split(value, true);
  put64(w);
}

/** A uint32 as LEB128. */
export function writeUvar(w: PackWriter, value: number): void {
  if (value >>> 0 !== value) throw notIn("uvar", value);
  w.reserve(5);
  w.pos = putUvar32(w.bytes, w.pos, value);
}

/** An int32 as zigzagged LEB128. */
export function writeIvar(w: PackWriter, value: number): void {
  if ((value | 0) !== value) throw notIn("ivar", value);
  w.reserve(5);
  w.pos = putUvar32(w.bytes, w.pos, zigzag32(value));
}

/** A uint64 as LEB128; of a bigint or a safe number. */
export function writeUvar64(w: PackWriter, value: bigint | number): void {
  split(value, false);
  w.reserve(10);
  w.pos = putUvar64(w.bytes, w.pos, words.low >>> 0, words.high >>> 0);
}

/** An int64 as zigzagged LEB128; of a bigint or a safe number. */
export function writeIvar64(w: PackWriter, value: bigint | number): void {
  split(value, true);
  const { low, high } = words;
  w.reserve(10);
  w.pos = putUvar64(w.bytes, w.pos, zigzag64Low(low, high), zigzag64High(low, high));
}

/** A name's place in a list, as LEB128. */
export function writeIndex(w: PackWriter, value: string, places: ReadonlyMap<string, number>): void {
  const index = places.get(value);
  if (index === undefined) {
    if (typeof value !== "string") throw notOfType("a name", value);
    throw refuse("ERR_OUT_OF_RANGE", `unknown name ${JSON.stringify(value.slice(0, 80))}`);
  }
  writeUvar(w, index);
}

/** A byte 00 or 01. */
export function writeFlag(w: PackWriter, value: boolean): void {
  if (typeof value !== "boolean") throw notOfType("a boolean", value);
  w.reserve(1);
  w.bytes[w.pos++] = value ? 1 : 0;
}

/** Makes room for `count` bits, all 0, in whole bytes; answers where they begin. */
export function openBits(w: PackWriter, count: number): number {
  const size = Math.ceil(count / 8);
  w.reserve(size);
  const start = w.pos;
  w.pos = start + size;
  w.bytes.fill(0, start, w.pos);
  return start;
}

/** Sets bit `i` of those that begin at `start`. */
export function setBit(w: PackWriter, start: number, i: number): void {
  w.bytes[start + (i >> 3)]! |= 1 << (i & 7);
}

/** Strings of so many UTF-16 units have less than 128 bytes. */
const SHORT_UNITS = 42;

/** Text with its count. A lone surrogate is `ERR_INVALID_UTF8`. */
export function writeText(w: PackWriter, value: string): void {
  if (typeof value !== "string") throw notOfType("a string", value);
  const units = value.length;
  w.reserve(3 * units + 5);
  const { bytes, pos } = w;
  // Nearly always right, for ASCII always.
  const guessed = units <= SHORT_UNITS ? 1 : uvar32Size(units);
  const end = writeUtf8(bytes, pos + guessed, value);
  if (end < 0) throw refuse("ERR_INVALID_UTF8", "a lone surrogate has no UTF-8 form");
  const length = end - pos - guessed;
  if (length < 0x80) {
    bytes[pos] = length;
    w.pos = end;
    return;
  }
  const prefix = uvar32Size(length);
  if (prefix > guessed) bytes.copyWithin(pos + prefix, pos + guessed, end);
  putUvar32(bytes, pos, length);
  w.pos = pos + prefix + length;
}

/** ASCII with its count, or without one, of exactly `length` characters. `ERR_INVALID_ASCII`, `ERR_OUT_OF_RANGE`. */
export function writeAsciiText(w: PackWriter, value: string, length = 0): void {
  if (typeof value !== "string") throw notOfType("a string", value);
  const units = value.length;
  if (length > 0 && units !== length) throw refuse("ERR_OUT_OF_RANGE", `${units} characters, not ${length}`);
  w.reserve(3 * units + 5);
  const start = length > 0 ? w.pos : putUvar32(w.bytes, w.pos, units);
  const end = writeUtf8(w.bytes, start, value);
  if (end !== start + units) throw refuse("ERR_INVALID_ASCII", "a character that is not ASCII");
  w.pos = end;
}

/** Bytes with their count, or without one, of exactly `length`. `ERR_OUT_OF_RANGE`. */
export function writeBinary(w: PackWriter, value: Uint8Array, length = 0): void {
  if (!(value instanceof Uint8Array)) throw notOfType("a Uint8Array", value);
  const size = value.length;
  if (length > 0 && size !== length) throw refuse("ERR_OUT_OF_RANGE", `${size} bytes, not ${length}`);
  w.reserve(size + 5);
  if (length === 0) w.pos = putUvar32(w.bytes, w.pos, size);
  w.bytes.set(value, w.pos);
  w.pos += size;
}

/** Text in the order of its UTF-8 bytes: as its code points, not as its UTF-16 units, where surrogates come before U+E000. */
export function compareText(a: string, b: string): number {
  const n = Math.min(a.length, b.length);
  for (let i = 0; i < n; i++) {
    let x = a.charCodeAt(i);
    let y = b.charCodeAt(i);
    if (x === y) continue;
    if (x >= 0xd800 && y >= 0xd800) {
      x += x < 0xe000 ? 0x2000 : -0x800;
      y += y < 0xe000 ? 0x2000 : -0x800;
    }
    return x - y;
  }
  return a.length - b.length;
}
