/**
 * Writes single values: the hot path of every generated encoder.
 *
 * The file is long because each method is a straight line: make space, write the bytes, return `this`. A value of one byte has a
 * method of so few bytecodes that engines inline it: 2 ns instead of 14 in Firefox. Values are converted as in protobuf.js 8,
 * which wraps numbers that are too large, unless the Writer is `strict`.
 *
 * Wire format: https://protobuf.dev/programming-guides/encoding
 */
import {
  describe,
  EncodeError,
  flagOption,
  lengthOf,
  optionsObject,
  ownOption,
  putUvar32,
  putUvar64,
  toWellFormed,
  utf8Length,
  uvar32Size,
  writeUtf8,
  zigzag32,
  zigzag64High,
  zigzag64Low,
} from "moonpack/bytes";
import { fromBase64 } from "../base64.js";
import { isNullish, listedBytes, lookup, numberOf, unsupported } from "../coerce.js";
import { type Int64Input, invalidInteger, outOfRange, toWords, words } from "../int64.js";
import { Nesting } from "./nesting.js";

/** Options of a {@link Writer}. */
export interface WriterOptions {
  /**
   * Throws for values that would be changed to fit. `ERR_OUT_OF_RANGE`: a number outside its type, a fraction or NaN for an
   * integer, or a value that is not a number (bigints and symbols are always `ERR_UNSUPPORTED_TYPE`). `ERR_INVALID_UTF8`: text
   * with a lone surrogate. Costs one comparison per value. Default false: numbers wrap, as in protobuf.js, and a lone surrogate
   * becomes U+FFFD.
   */
  readonly strict?: boolean;
}

/** Text of up to 42 UTF-16 units has less than 128 bytes. */
const SHORT_UNITS = 42;
/** Longer text is measured first: space for three bytes per unit would waste memory. */
const MEASURED_UNITS = 65_536;

/** Writes single values. */
export class FieldWriter extends Nesting {
  /** @internal See {@link WriterOptions.strict}. */
  protected readonly strict: boolean;

  /** Throws `ERR_INVALID_ARGUMENT` for invalid options. */
  constructor(options?: WriterOptions) {
    super();
    this.strict = options !== undefined && flagOption("strict", ownOption(optionsObject(options), "strict"), false);
  }

  /** Writes an unsigned 32-bit integer as varint; also a tag: `field << 3 | wireType`. */
  uint32(value: number): this {
    if (typeof value !== "number" || (value & 0x7f) !== value || this.at >= this.limit) return this.longUint32(value);
    this.memory[this.at++] = value;
    return this;
  }

  /** @internal One byte. Written out in `uint32` and `int32`: V8 inlines a limited number of calls in a generated encoder. */
  byte(value: number): this {
    if (this.at >= this.limit) this.grow(1);
    this.memory[this.at++] = value;
    return this;
  }

  /** @internal */
  longUint32(value: unknown): this {
    const n = (typeof value === "number" ? value : numberOf(value)) >>> 0;
    if (this.strict) this.checkInteger("uint32", n, value);
    if (this.at + 5 > this.limit) this.grow(5);
    this.at = putUvar32(this.memory, this.at, n);
    return this;
  }

  /** Writes a signed 32-bit integer as varint. A negative one takes 10 bytes. */
  int32(value: number): this {
    if (typeof value !== "number" || (value & 0x7f) !== value || this.at >= this.limit) return this.longInt32(value);
    this.memory[this.at++] = value;
    return this;
  }

  /** @internal */
  longInt32(value: unknown): this {
    const n = (typeof value === "number" ? value : numberOf(value)) | 0;
    if (this.strict) this.checkInteger("int32", n, value);
    if (this.at + 10 > this.limit) this.grow(10);
    if (n >= 0) this.at = putUvar32(this.memory, this.at, n);
    else this.at = putNegative(this.memory, this.at, n);
    return this;
  }

  /** Writes a signed 32-bit integer as zigzag varint. */
  sint32(value: number): this {
    const n = (typeof value === "number" ? value : numberOf(value)) | 0;
    if (this.strict) this.checkInteger("sint32", n, value);
    if (this.at + 5 > this.limit) this.grow(5);
    this.at = putUvar32(this.memory, this.at, zigzag32(n));
    return this;
  }

  /** Writes an unsigned 64-bit integer as varint. */
  uint64(value: Int64Input): this {
    toWords(value, this.strict, false);
    if (this.at + 10 > this.limit) this.grow(10);
    this.at = putUvar64(this.memory, this.at, words.low >>> 0, words.high >>> 0);
    return this;
  }

  /** Writes a signed 64-bit integer as varint. */
  int64(value: Int64Input): this {
    toWords(value, this.strict, true);
    if (this.at + 10 > this.limit) this.grow(10);
    this.at = putUvar64(this.memory, this.at, words.low >>> 0, words.high >>> 0);
    return this;
  }

  /** Writes a signed 64-bit integer as zigzag varint. */
  sint64(value: Int64Input): this {
    toWords(value, this.strict, true);
    if (this.at + 10 > this.limit) this.grow(10);
    const { low, high } = words;
    this.at = putUvar64(this.memory, this.at, zigzag64Low(low, high), zigzag64High(low, high));
    return this;
  }

  /** Writes a boolean. Other values count as JavaScript converts them. */
  bool(value: boolean): this {
    return this.byte(value ? 1 : 0);
  }

  /** Writes an unsigned 32-bit integer in 4 bytes. */
  fixed32(value: number): this {
    const n = (typeof value === "number" ? value : numberOf(value)) >>> 0;
    if (this.strict) this.checkInteger("fixed32", n, value);
    return this.word(n);
  }

  /** Writes a signed 32-bit integer in 4 bytes. */
  sfixed32(value: number): this {
    const n = (typeof value === "number" ? value : numberOf(value)) | 0;
    if (this.strict) this.checkInteger("sfixed32", n, value);
    return this.word(n);
  }

  /** @internal */
  word(value: number): this {
    if (this.at + 4 > this.limit) this.grow(4);
    this.memoryView.setInt32(this.at, value, true);
    this.at += 4;
    return this;
  }

  /** Writes an unsigned 64-bit integer in 8 bytes. */
  fixed64(value: Int64Input): this {
    toWords(value, this.strict, false);
    return this.twoWords();
  }

  /** Writes a signed 64-bit integer in 8 bytes. */
  sfixed64(value: Int64Input): this {
    toWords(value, this.strict, true);
    return this.twoWords();
  }

  /** @internal Writes the words that `toWords` has set. */
  twoWords(): this {
    if (this.at + 8 > this.limit) this.grow(8);
    this.memoryView.setInt32(this.at, words.low, true);
    this.memoryView.setInt32(this.at + 4, words.high, true);
    this.at += 8;
    return this;
  }

  /** Writes a number as IEEE 754 in 4 bytes, rounded to the nearest. */
  float(value: number): this {
    if (this.strict) this.checkNumber("float", value);
    const n = typeof value === "number" ? value : numberOf(value); // may run code, so before `memory` is read
    if (this.at + 4 > this.limit) this.grow(4);
    this.memoryView.setFloat32(this.at, n, true);
    this.at += 4;
    return this;
  }

  /** Writes a number as IEEE 754 in 8 bytes. */
  double(value: number): this {
    if (this.strict) this.checkNumber("double", value);
    const n = typeof value === "number" ? value : numberOf(value);
    if (this.at + 8 > this.limit) this.grow(8);
    this.memoryView.setFloat64(this.at, n, true);
    this.at += 8;
    return this;
  }

  /** @internal Strict: throws for values that are not numbers, and for numbers beyond the range of a float. */
  protected checkNumber(type: "float" | "double", value: unknown): void {
    if (typeof value === "bigint" || typeof value === "symbol") numberOf(value);
    if (typeof value !== "number" || (type === "float" && !isFloat(value)))
      throw outOfRange(`${describe(value)} is not a valid ${type}`);
  }

  /** Writes text after its length. Throws `ERR_UNSUPPORTED_TYPE` if it is not a string. A value without `length` counts as empty text. */
  string(value: string): this {
    if (typeof value !== "string") return this.string(this.textOf(value));
    const units = value.length;
    if (units > SHORT_UNITS) return this.longString(value, units);
    if (this.at + 3 * units + 1 > this.limit) this.grow(3 * units + 1);
    const start = this.at + 1;
    const end = writeUtf8(this.memory, start, value);
    if (end < 0) return this.string(this.replaced(value));
    this.memory[start - 1] = end - start;
    this.at = end;
    return this;
  }

  /** @internal */
  longString(value: string, units: number): this {
    const room = units > MEASURED_UNITS ? utf8Length(value) : 3 * units;
    if (this.at + room + 5 > this.limit) this.grow(room + 5);
    const { memory: bytes, at } = this;
    // The size of the length, guessed from the units: right for all ASCII and most other text.
    const guessed = uvar32Size(units);
    const end = writeUtf8(bytes, at + guessed, value);
    if (end < 0) return this.string(this.replaced(value));
    const length = end - at - guessed;
    const prefix = uvar32Size(length);
    if (prefix > guessed) bytes.copyWithin(at + prefix, at + guessed, end);
    putUvar32(bytes, at, length);
    this.at = at + prefix + length;
    return this;
  }

  /** @internal Returns the text that is written for a value that is not a string. */
  protected textOf(value: unknown): string {
    if (value instanceof String) return String(value);
    if (!(this.strict || isNullish(value) || lookup(value, "length"))) return "";
    throw unsupported("a string", value);
  }

  /** @internal Returns the text that is written for text with a lone surrogate. */
  protected replaced(value: string): string {
    if (this.strict) throw new EncodeError("ERR_INVALID_UTF8", "text with a lone surrogate has no UTF-8 form", "$");
    return toWellFormed(value);
  }

  /**
   * Writes bytes after their length: a Uint8Array, an array of numbers, or base64 text. Throws `ERR_UNSUPPORTED_TYPE` for
   * anything else. Unless `strict`, a value without `length` counts as empty.
   */
  bytes(value: Uint8Array | ArrayLike<number> | string): this {
    const bytes = isBytes(value) ? value : this.bytesOf(value);
    const length = lengthOf(bytes);
    if (this.at + length + 5 > this.limit) this.grow(length + 5);
    const start = (this.at = putUvar32(this.memory, this.at, length));
    if (length > 0) this.memory.set(bytes, start);
    this.at = start + length;
    return this;
  }

  /** @internal */
  bytesOf(value: ArrayLike<number> | string): Uint8Array {
    if (typeof value === "string" || (value as unknown) instanceof String) return this.decoded(String(value));
    return listedBytes(value, this.strict);
  }

  /** @internal Returns the bytes of base64 text. */
  protected decoded(text: string): Uint8Array {
    return fromBase64(text);
  }

  /** Writes bytes without their length, for fields that are encoded already. Accepts the same as `bytes`, except text. */
  raw(value: Uint8Array | ArrayLike<number>): this {
    const bytes = isBytes(value) ? value : listedBytes(value, this.strict);
    const length = lengthOf(bytes);
    if (this.at + length > this.limit) this.grow(length);
    if (length > 0) this.memory.set(bytes, this.at);
    this.at += length;
    return this;
  }

  /**
   * @internal Strict: throws if `n`, the integer that is written, is not `value`. Decimal text is accepted: generated code passes the keys of
   * a map as text.
   */
  protected checkInteger(type: string, n: number, value: unknown): void {
    if (n !== value && String(n) !== value) throw invalidInteger(type, describe(value));
  }
}

/** isView tests for a real view. An object that only inherits from Uint8Array.prototype has no bytes. */
function isBytes(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value) && value instanceof Uint8Array;
}

/** Writes a negative int32 as a varint of 10 bytes, as the same int64. Returns the end. */
export function putNegative(bytes: Uint8Array, at: number, n: number): number {
  bytes[at] = n | 0x80;
  bytes[at + 1] = (n >> 7) | 0x80;
  bytes[at + 2] = (n >> 14) | 0x80;
  bytes[at + 3] = (n >> 21) | 0x80;
  bytes[at + 4] = (n >> 28) | 0x80;
  bytes[at + 5] = bytes[at + 6] = bytes[at + 7] = bytes[at + 8] = 0xff;
  bytes[at + 9] = 1;
  return at + 10;
}

function isFloat(value: number): boolean {
  return Math.abs(value) === Infinity || Math.abs(Math.fround(value)) !== Infinity;
}
