/**
 * The base of PCK's encoders: memory to write to, errors with paths, and functions that write bits, text and bytes.
 * They are functions and not methods, so that a bundler keeps only those that a schema needs. Each one checks its value
 * and reserves space before it writes. Numbers are in write-numbers.ts and write-lists.ts.
 *
 * Format: docs/pck-format.md ("Encoding errors").
 */
import {
  describe,
  EncodeError,
  type ErrorCode,
  GrowingMemory,
  isStackOverflow,
  lengthOf,
  MoonpackError,
  putUvar32,
  uvar32Size,
  writeUtf8,
} from "moonpack/bytes";

/** Memory that a message is written to. */
export interface PackWriter {
  /** The whole memory; its content is valid up to `pos`. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** A view over `bytes`. */
  readonly view: DataView<ArrayBuffer>;
  /** Position of the next byte. */
  pos: number;
  /** Limit of nested structs and containers; the root is level 1. */
  readonly maxDepth: number;
  /** Makes space for `n` bytes; replaces `bytes` and `view` when they are too small. */
  reserve(n: number): void;
}

/** Memory that grows, for messages of any size. */
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

/**
 * The error of an invalid value while its path is still incomplete. {@link encodeError} turns it into an EncodeError.
 */
class InvalidValue extends MoonpackError {
  /** Recognises instances of other copies, by `instanceof`. */
  static override get brand(): symbol {
    return Symbol.for("@moonpack/pck.InvalidValue");
  }
  /**
   * Path within the struct that is being written. Each level prepends its step, so that no level makes an error of its
   * own.
   */
  path: string;
  constructor(code: ErrorCode, message: string, path: string, cause?: unknown) {
    super(code, message, cause);
    this.path = path;
  }
}

/** Returns the error of a value that cannot be written. Callers on the way out add its path by {@link within}. */
export function refuse(code: ErrorCode, text: string): MoonpackError {
  return new InvalidValue(code, text, "");
}

/** Returns the error of a value of a wrong type. `type`: what was expected, "a string" say. */
export function notOfType(type: string, value: unknown): MoonpackError {
  return refuse("ERR_UNSUPPORTED_TYPE", `expected ${type}, not ${describe(value)}`);
}

/** Returns the error of a value that is out of range for the type, or not a number. */
export function notIn(type: string, value: unknown): MoonpackError {
  if (typeof value !== "number") return notOfType(type, value);
  return refuse("ERR_OUT_OF_RANGE", `${value} is not a valid ${type}`);
}

/** Returns the error of a map that has a key twice. */
export function duplicateKey(): MoonpackError {
  return refuse("ERR_DUPLICATE_KEY", "the map has this key twice");
}

/**
 * Prepends a step (`.name`, `[3]`) to the path of an error and returns the error. An error of user code becomes
 * `ERR_USER_CODE`, an exhausted call stack `ERR_LIMIT_DEPTH`.
 */
export function within(error: unknown, path: string): MoonpackError {
  if (error instanceof InvalidValue) {
    error.path = path + error.path;
    return error;
  }
  if (error instanceof MoonpackError && error.code === "ERR_LIMIT_BYTES") return error; // memory is exhausted: no path
  if (isStackOverflow(error)) return new InvalidValue("ERR_LIMIT_DEPTH", "the call stack is exhausted", path, error);
  return new InvalidValue("ERR_USER_CODE", "a getter threw; see cause", path, error);
}

/** Returns the path step of a map key: `["name"]`, `[3]`. */
export function keyStep(key: unknown): string {
  if (typeof key === "bigint") return `["${key}"]`;
  return `[${typeof key === "string" || typeof key === "number" ? JSON.stringify(key) : describe(key)}]`;
}

/** Returns the error that the encoder of a whole message throws: an EncodeError with the path from the root. */
export function encodeError(thrown: unknown): MoonpackError {
  const error = thrown instanceof MoonpackError ? thrown : within(thrown, "");
  return error instanceof InvalidValue
    ? new EncodeError(error.code, error.message, `$${error.path}`, error.cause)
    : error;
}

/** Checks the depth of a struct or container. Throws `ERR_LIMIT_DEPTH` beyond `maxDepth`. */
export function checkNesting(w: PackWriter, depth: number): void {
  if (depth > w.maxDepth) throw refuse("ERR_LIMIT_DEPTH", `nested deeper than maxDepth (${w.maxDepth})`);
}

/** Writes a store of `count` bits, all 0 (whole bytes), and returns its start. */
export function openBits(w: PackWriter, count: number): number {
  const size = Math.ceil(count / 8);
  w.reserve(size);
  const start = w.pos;
  w.pos = start + size;
  // Few bytes are cleared by a loop: a call of `fill` takes 30 ns.
  if (size <= 8) for (let p = start; p < w.pos; p++) w.bytes[p] = 0;
  else w.bytes.fill(0, start, w.pos);
  return start;
}

/** Sets bit `i` of the store that begins at `start`. */
export function setBit(w: PackWriter, start: number, i: number): void {
  w.bytes[start + (i >> 3)]! |= 1 << (i & 7);
}

/** Writes booleans, of one bit each, in whole bytes. */
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

/** Checks the length of a list of fixed length. Throws `ERR_OUT_OF_RANGE`. */
export function expectLength(count: number, length: number): void {
  if (count !== length) throw refuse("ERR_OUT_OF_RANGE", `expected ${length} elements, got ${count}`);
}

/** Strings of up to this many UTF-16 units have fewer than 128 bytes of UTF-8. */
const SHORT_UNITS = 42;

/** Writes the byte count and the UTF-8 of a text. Throws `ERR_INVALID_UTF8` for a lone surrogate. */
export function writeText(w: PackWriter, value: string): void {
  if (typeof value !== "string") throw notOfType("a string", value);
  const units = value.length;
  w.reserve(3 * units + 5);
  const { bytes, pos } = w;
  // A guess of the count's size: always right for ASCII, nearly always for text whose characters all take three bytes.
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

/**
 * Writes ASCII text of exactly `length` characters; 0 stands for any length, with a count before the text.
 * Throws `ERR_INVALID_ASCII`, `ERR_OUT_OF_RANGE` for another length.
 */
export function writeAsciiText(w: PackWriter, value: string, length = 0): void {
  if (typeof value !== "string") throw notOfType("a string", value);
  const units = value.length;
  if (length > 0 && units !== length) throw refuse("ERR_OUT_OF_RANGE", `expected ${length} characters, got ${units}`);
  w.reserve(3 * units + 5);
  const start = length > 0 ? w.pos : putUvar32(w.bytes, w.pos, units);
  const end = writeUtf8(w.bytes, start, value);
  if (end !== start + units) throw refuse("ERR_INVALID_ASCII", "a character that is not ASCII");
  w.pos = end;
}

/**
 * Writes exactly `length` bytes; 0 stands for any number, with a count before the bytes. Throws `ERR_OUT_OF_RANGE` for another
 * length.
 */
export function writeBinary(w: PackWriter, value: Uint8Array, length = 0): void {
  if (!(value instanceof Uint8Array)) throw notOfType("a Uint8Array", value);
  const size = lengthOf(value);
  if (length > 0 && size !== length) throw refuse("ERR_OUT_OF_RANGE", `expected ${length} bytes, got ${size}`);
  w.reserve(size + 5);
  if (length === 0) w.pos = putUvar32(w.bytes, w.pos, size);
  try {
    w.bytes.set(value, w.pos);
  } catch {
    throw refuse("ERR_UNSUPPORTED_TYPE", "a detached buffer has no bytes");
  }
  w.pos += size;
}

/**
 * Compares texts by their UTF-8 bytes, which is the order of code points; negative when `a` comes first. UTF-16 units
 * would put surrogates before U+E000.
 */
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
