/**
 * Writing what a schema says: the ground of PCK's encoders, compiled or emitted. Functions over one small state, so that a
 * bundler keeps what a schema needs. Every one checks its value and makes room before it writes. Numbers: pack-write-numbers.ts.
 *
 * Format: docs/pck-format.md ("An encoder's error").
 */
import { writeUtf8 } from "#utf8";
import { GrowingMemory } from "./buffer.js";
import { describe, EncodeError, type ErrorCode, MoonpackError } from "./errors.js";
import { isStackOverflow } from "./limits.js";
import { putUvar32, uvar32Size } from "./varint.js";

/** Memory that a message is written to. */
export interface PackWriter {
  /** The whole of it; valid up to `pos`. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** A view over it. */
  readonly view: DataView<ArrayBuffer>;
  /** Where the next byte goes. */
  pos: number;
  /** How deep structs and containers may be nested; the root is 1. */
  readonly maxDepth: number;
  /** Makes room for `n` bytes; `bytes` and `view` may be others afterwards. */
  reserve(n: number): void;
}

/** The same for messages of any size. */
export class GrowingPackWriter extends GrowingMemory implements PackWriter {
  readonly maxDepth: number;

  constructor(initialBytes: number, maxDepth: number) {
    super(initialBytes);
    this.maxDepth = maxDepth;
  }

  reserve(n: number): void {
    if (this.pos + n > this.bytes.length) this.grow(n);
  }
}

/** A value that cannot be written, and where it lies in the struct that is being written. Becomes an {@link EncodeError}. */
class Refusal extends MoonpackError {
  /** Grows on the way out, so that each level costs no error of its own. */
  path: string;
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
  if (error instanceof Refusal) {
    error.path = path + error.path;
    return error;
  }
  if (error instanceof MoonpackError && error.code === "ERR_LIMIT_BYTES") return error; // no memory, wherever that was
  if (isStackOverflow(error)) return new Refusal("ERR_LIMIT_DEPTH", "the call stack is exhausted", path, error);
  return new Refusal("ERR_USER_CODE", "a getter threw; see cause", path, error);
}

/** The step of a map's key in a path. */
export function keyStep(key: unknown): string {
  if (typeof key === "bigint") return `["${key}"]`;
  return `[${typeof key === "string" || typeof key === "number" ? JSON.stringify(key) : describe(key)}]`;
}

/** What a whole message's error is. */
export function encodeError(thrown: unknown): MoonpackError {
  const error = thrown instanceof MoonpackError ? thrown : within(thrown, "");
  return error instanceof Refusal ? new EncodeError(error.code, error.message, `$${error.path}`, error.cause) : error;
}

/** A container or struct at this depth. `ERR_LIMIT_DEPTH`. */
export function checkNesting(w: PackWriter, depth: number): void {
  if (depth > w.maxDepth) throw refuse("ERR_LIMIT_DEPTH", `nested deeper than ${w.maxDepth}`);
}

/** Makes room for `count` bits, all 0, in whole bytes; answers where they begin. */
export function openBits(w: PackWriter, count: number): number {
  const size = Math.ceil(count / 8);
  w.reserve(size);
  const start = w.pos;
  w.pos = start + size;
  // Few by a loop: a call of `fill` takes 30 ns.
  if (size <= 8) for (let p = start; p < w.pos; p++) w.bytes[p] = 0;
  else w.bytes.fill(0, start, w.pos);
  return start;
}

/** Sets bit `i` of those that begin at `start`. */
export function setBit(w: PackWriter, start: number, i: number): void {
  w.bytes[start + (i >> 3)]! |= 1 << (i & 7);
}

/** Booleans, a bit each, in whole bytes. */
export function writeBools(w: PackWriter, list: readonly boolean[]): void {
  const count = list.length;
  const start = openBits(w, count);
  for (let i = 0; i < count; i++) {
    try {
      const item: unknown = list[i];
      if (item === true) setBit(w, start, i);
      else if (item !== false) throw notOfType("a boolean", item);
    } catch (error) {
      throw within(error, `[${i}]`);
    }
  }
}

/** A list of a fixed length. `ERR_OUT_OF_RANGE` for another. */
export function expectLength(count: number, length: number): void {
  if (count !== length) throw refuse("ERR_OUT_OF_RANGE", `${count} elements, not ${length}`);
}

/** Strings of so many UTF-16 units have less than 128 bytes. */
const SHORT_UNITS = 42;

/** Text with its count. A lone surrogate is `ERR_INVALID_UTF8`. */
export function writeText(w: PackWriter, value: string): void {
  if (typeof value !== "string") throw notOfType("a string", value);
  const units = value.length;
  w.reserve(3 * units + 5);
  const { bytes, pos } = w;
  // Nearly always right, for ASCII always: text that begins with a character of three bytes has little else.
  const guessed = units <= SHORT_UNITS ? 1 : uvar32Size(value.charCodeAt(0) < 0x800 ? units : 3 * units);
  const end = writeUtf8(bytes, pos + guessed, value);
  if (end < 0) throw refuse("ERR_INVALID_UTF8", "a lone surrogate has no UTF-8 form");
  const length = end - pos - guessed;
  if (length < 0x80 && guessed === 1) {
    bytes[pos] = length;
    w.pos = end;
    return;
  }
  const prefix = uvar32Size(length);
  if (prefix !== guessed) bytes.copyWithin(pos + prefix, pos + guessed, end);
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
  try {
    w.bytes.set(value, w.pos);
  } catch {
    throw refuse("ERR_UNSUPPORTED_TYPE", "bytes whose buffer was transferred away");
  }
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
