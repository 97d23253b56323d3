/**
 * 64-bit values between JavaScript and two 32-bit words: numbers, decimal strings, bigints, Long and `{low, high}`. Words
 * are int32, which V8 keeps unboxed.
 */
import { describe, EncodeError, invalidArgument } from "../bytes/errors.js";
import { isNothing, lookup, numberOf, unsupported } from "./loose.js";

/** Two words as Long has them, and protobuf.js without a Long library. */
export interface LongLike {
  /** The lower 32 bits, with or without sign. */
  readonly low: number;
  /** The higher 32 bits. */
  readonly high: number;
  /** Is it one without sign? */
  readonly unsigned?: boolean;
}

/** What 64-bit fields take. */
export type Int64Input = number | string | bigint | LongLike;

/** What 64-bit fields give: see {@link Int64Form}. */
export type Int64Value = number | bigint | LongLike;

/** `new Long(low, high, unsigned)`: the class of npm `long`. */
export type LongConstructor = new (low: number, high: number, unsigned: boolean) => LongLike;

/**
 * How 64-bit integers are given: `"long"` as Long where one is configured, otherwise as numbers, as protobuf.js does (above
 * 2^53 they are rounded); `"bigint"`; or `"number"`, `ERR_UNSAFE_INTEGER` where one can't hold it.
 */
export type Int64Form = "long" | "bigint" | "number";

/** The words of the value that was converted last. Scratch of one call: they are read before anybody else's code runs. */
export const words = { low: 0, high: 0 };

const TWO_32 = 4294967296;
const MAX_UINT64 = (1n << 64n) - 1n;
const MIN_INT64 = -(1n << 63n);
const MAX_INT64 = (1n << 63n) - 1n;

/**
 * Puts the value into {@link words}, as protobuf.js does: numbers wrap, of what is none the words count that it has. `strict`:
 * `ERR_OUT_OF_RANGE` for what is no integer, or none of 64 bits with (`signed`) or without sign, `ERR_UNSUPPORTED_TYPE` for what
 * has no words. Text without digits, and nothing at all, are refused always.
 */
export function toWords(value: Int64Input, strict: boolean, signed: boolean): void {
  if (typeof value === "number") {
    if (strict) checkNumber(value, signed);
    numberToWords(value);
  } else if (typeof value === "bigint") {
    if (strict) checkBigInt(value, signed);
    bigintToWords(value);
  } else if (typeof value === "string" || (value as unknown) instanceof String) {
    const integer = textToBigInt(String(value), strict);
    if (strict) checkBigInt(integer, signed);
    bigintToWords(integer);
  } else {
    if (isNothing(value)) throw notInteger(value);
    const { low, high } = value;
    if (typeof low !== "number" || typeof high !== "number") return looseWords(value, strict);
    if (strict) checkWords(value, low, high, signed);
    words.low = low | 0;
    words.high = high | 0;
  }
}

function notInteger(value: unknown): EncodeError {
  return unsupported("a 64-bit integer", value);
}

/** Of words that are missing, or none, what JavaScript makes of them. */
function looseWords(value: LongLike, strict: boolean): void {
  if (strict) throw notInteger(value);
  // Both first: they may be objects whose code writes integers of its own.
  const low = numberOf(lookup(value, "low")) | 0;
  const high = numberOf(lookup(value, "high")) | 0;
  words.low = low;
  words.high = high;
}

function textToBigInt(text: string, strict: boolean): bigint {
  if (/^[-+]?\d+$/.test(text)) return BigInt(text.startsWith("+") ? text.slice(1) : text);
  const integer = strict ? null : looseBigInt(text);
  if (integer === null) throw outOfRange(`${JSON.stringify(text.slice(0, 40))} is no decimal integer`);
  return integer;
}

/** Characters that Long takes at once, which shows where some are no digits. */
const AT_ONCE = 8;

/** As `Long.fromString`, by which protobuf.js reads text: of each eight characters the digits in front. null where it throws. */
function looseBigInt(text: string): bigint | null {
  const signs = /^-*/.exec(text)![0].length;
  const digits = text.slice(signs);
  if (digits === "" || digits.includes("-")) return null;
  let integer = 0n;
  for (let i = 0; i < digits.length; i += AT_ONCE) {
    const some = digits.slice(i, i + AT_ONCE);
    integer = integer * 10n ** BigInt(some.length) + BigInt(Number.parseInt(some, 10) || 0);
  }
  return signs % 2 === 0 ? integer : -integer;
}

/** Two words, each with sign or without; a Long that says which must not have the other meaning. */
function checkWords(value: LongLike, low: number, high: number, signed: boolean): void {
  const { unsigned } = value;
  const areWords = ((low | 0) === low || low >>> 0 === low) && ((high | 0) === high || high >>> 0 === high);
  const isOther = unsigned !== undefined && unsigned === signed && (high | 0) < 0;
  if (!areWords || isOther) throw outOfRange(`{low: ${low}, high: ${high}} is no ${signed ? "int64" : "uint64"}`);
}

/** As protobuf.js converts numbers: fractions are cut off, NaN and the infinities are 0, larger ones lose their high bits. */
function numberToWords(value: number): void {
  const low = value | 0;
  if (low === value) {
    words.low = low;
    words.high = low >> 31;
    return;
  }
  const size = Math.abs(value);
  const first = size >>> 0;
  const second = ((size - first) / TWO_32) >>> 0;
  if (value >= 0 || first + second === 0) {
    words.low = first | 0;
    words.high = second | 0;
  } else {
    words.low = -first | 0;
    words.high = (~second + (first === 0 ? 1 : 0)) | 0;
  }
}

function bigintToWords(value: bigint): void {
  const wrapped = BigInt.asUintN(64, value);
  words.low = Number(wrapped & 0xffffffffn) | 0;
  words.high = Number(wrapped >> 32n) | 0;
}

function checkNumber(value: number, signed: boolean): void {
  const isInside = signed ? value >= -(2 ** 63) && value < 2 ** 63 : value >= 0 && value < 2 ** 64;
  if (!isInside || !Number.isInteger(value)) throw outOfRange(`${value} is no ${signed ? "int64" : "uint64"}`);
}

function checkBigInt(value: bigint, signed: boolean): void {
  const isInside = signed ? value >= MIN_INT64 && value <= MAX_INT64 : value >= 0n && value <= MAX_UINT64;
  if (!isInside) throw outOfRange(`${describe(value)} is no ${signed ? "int64" : "uint64"}`);
}

/** A value beyond what its place can hold. */
export function outOfRange(message: string): EncodeError {
  return new EncodeError("ERR_OUT_OF_RANGE", message, "$");
}

/** The number of two words, rounded above 2^53. */
export function toNumber(low: number, high: number, signed: boolean): number {
  return (signed ? high : high >>> 0) * TWO_32 + (low >>> 0);
}

/** The bigint of two words. */
export function toBigInt(low: number, high: number, signed: boolean): bigint {
  return (BigInt(signed ? high : high >>> 0) << 32n) | BigInt(low >>> 0);
}

/** Configuration of this library in a process, as protobuf.js has it: what {@link configure} was told. */
let configured: LongConstructor | null = null;

/** What {@link configure} takes. */
export interface Configuration {
  /**
   * The class of npm `long`, or null for none: then Readers make that of a protobuf.js that is attached, or without one read
   * 64-bit integers as numbers. Readers of a protobuf.js that is installed make its own where it has one.
   */
  readonly Long?: LongConstructor | null;
}

/**
 * Tells Readers which Long to make. protobuf.js finds one by itself; this library imports none. `ERR_INVALID_ARGUMENT`
 *
 * @example
 * import Long from "long";
 * configure({ Long });
 */
export function configure(configuration: Configuration): void {
  const Long = Object.hasOwn(configuration, "Long") ? configuration.Long : undefined;
  if (Long === undefined) return;
  if (Long !== null && typeof Long !== "function") throw invalidArgument("Long must be a class or null");
  configured = Long;
}

/** The Long that was configured. */
export function configuredLong(): LongConstructor | null {
  return configured;
}

/** The Longs of attached libraries, by what each is known by, oldest first; and the first of them, looked up once. */
const lent = new Map<object, LongConstructor>();
let borrowed: LongConstructor | null = null;

/** Where none is configured, Readers make this one, until {@link takeBackLong}; null: none of this owner's. */
export function lendLong(owner: object, Long: LongConstructor | null): void {
  if (Long === null) return takeBackLong(owner);
  lent.set(owner, Long);
  [borrowed = null] = lent.values();
}

/** Readers make this one's no more. */
export function takeBackLong(owner: object): void {
  lent.delete(owner);
  [borrowed = null] = lent.values();
}

/** The Long that was configured, else that of an attached library. */
export function currentLong(): LongConstructor | null {
  return configured ?? borrowed;
}
