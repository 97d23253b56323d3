/**
 * Converts 64-bit integers between JavaScript and two 32-bit words. In JavaScript they are numbers, decimal text, bigints, Long
 * or `{low, high}`. Words are int32, which V8 keeps unboxed.
 */
import { describe, EncodeError, invalidArgument, optionsObject, ownOption, refuseUnknown } from "moonpack/bytes";
import { isNullish, lookup, numberOf, unsupported } from "./coerce.js";

/** A 64-bit integer as two words: a Long, or an object of protobuf.js without a Long library. */
export interface LongLike {
  /** The low 32 bits, signed or unsigned. */
  readonly low: number;
  /** The high 32 bits, signed or unsigned. */
  readonly high: number;
  /** True for an unsigned integer. */
  readonly unsigned?: boolean;
}

/** Values that 64-bit fields accept. */
export type Int64Input = number | string | bigint | LongLike;

/** Values of 64-bit fields that are read; see {@link Int64Form}. */
export type Int64Value = number | bigint | LongLike;

/** The class of npm `long`: `new Long(low, high, unsigned)`. */
export type LongConstructor = new (low: number, high: number, unsigned: boolean) => LongLike;

/**
 * The type of 64-bit integers that are read. `"long"`: Long if one is configured, otherwise numbers, which are rounded above
 * 2^53, as in protobuf.js. `"bigint"`. `"number"`: `ERR_UNSAFE_INTEGER` if a number cannot hold the integer exactly.
 */
export type Int64Form = "long" | "bigint" | "number";

/** The words of the last converted value. They are read before any other code runs, so calls cannot disturb each other. */
export const words = { low: 0, high: 0 };

const TWO_32 = 4294967296;
const MAX_UINT64 = 0xffff_ffff_ffff_ffffn;
const MIN_INT64 = -0x8000_0000_0000_0000n;
const MAX_INT64 = 0x7fff_ffff_ffff_ffffn;

/**
 * Converts a value to {@link words} as protobuf.js does. Numbers wrap; objects contribute their low and high words. With
 * `strict`: `ERR_OUT_OF_RANGE` if it is not an integer of 64 bits, signed or unsigned, and `ERR_UNSUPPORTED_TYPE` for objects
 * without words. Text without digits, null and undefined always throw.
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
    if (isNullish(value)) throw notInteger(value);
    const { low, high } = value;
    if (typeof low !== "number" || typeof high !== "number") return convertWords(value, strict);
    if (strict) checkWords(value, low, high, signed);
    words.low = low | 0;
    words.high = high | 0;
  }
}

function notInteger(value: unknown): EncodeError {
  return unsupported("a 64-bit integer", value);
}

/** Words that are missing or not numbers, as JavaScript converts them. */
function convertWords(value: LongLike, strict: boolean): void {
  if (strict) throw notInteger(value);
  // Both are converted first: they may be objects whose code writes other integers.
  const low = numberOf(lookup(value, "low")) | 0;
  const high = numberOf(lookup(value, "high")) | 0;
  words.low = low;
  words.high = high;
}

function textToBigInt(text: string, strict: boolean): bigint {
  if (/^[-+]?\d+$/.test(text)) return BigInt(text.startsWith("+") ? text.slice(1) : text);
  const integer = strict ? null : bigIntAsLong(text);
  if (integer === null) throw outOfRange(`${JSON.stringify(text.slice(0, 40))} is not a decimal integer`);
  return integer;
}

/** Long parses eight characters at a time. That matters when some are not digits. */
const CHUNK = 8;

/** Parses text as `Long.fromString` does, for protobuf.js: of each eight characters the leading digits. null where it throws. */
function bigIntAsLong(text: string): bigint | null {
  const signs = /^-*/.exec(text)![0].length;
  const digits = text.slice(signs);
  if (digits === "" || digits.includes("-")) return null;
  let integer = 0n;
  for (let i = 0; i < digits.length; i += CHUNK) {
    const chunk = digits.slice(i, i + CHUNK);
    integer = integer * 10n ** BigInt(chunk.length) + BigInt(Number.parseInt(chunk, 10) || 0);
  }
  return signs % 2 === 0 ? integer : -integer;
}

/** Each word may be signed or unsigned. A Long with `unsigned` must not mean another integer than the field. */
function checkWords(value: LongLike, low: number, high: number, signed: boolean): void {
  const { unsigned } = value;
  const areWords = ((low | 0) === low || low >>> 0 === low) && ((high | 0) === high || high >>> 0 === high);
  const meansAnother = unsigned !== undefined && unsigned === signed && (high | 0) < 0;
  if (!areWords || meansAnother) throw notInt64(`{low: ${low}, high: ${high}}`, signed);
}

/**
 * Converts numbers as protobuf.js does: fractions are dropped, NaN and infinities are 0, large numbers lose their high bits.
 */
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
  if (!isInside || !Number.isInteger(value)) throw notInt64(describe(value), signed);
}

function checkBigInt(value: bigint, signed: boolean): void {
  const isInside = signed ? value >= MIN_INT64 && value <= MAX_INT64 : value >= 0n && value <= MAX_UINT64;
  if (!isInside) throw notInt64(describe(value), signed);
}

function notInt64(shown: string, signed: boolean): EncodeError {
  return invalidInteger(signed ? "int64" : "uint64", shown);
}

/** Returns the error for a value that an integer type cannot hold. The range follows from the type's name. */
export function invalidInteger(type: string, shown: string): EncodeError {
  const bits = Number(type.slice(-2));
  const range = /^[uf]/.test(type) ? `0 to 2^${bits}` : `-2^${bits - 1} to 2^${bits - 1}`; // unsigned: uint and fixed
  return outOfRange(`${shown} is not a valid ${type} (${range} - 1)`);
}

/** Returns the error for a value that its field cannot hold. */
export function outOfRange(message: string): EncodeError {
  return new EncodeError("ERR_OUT_OF_RANGE", message, "$");
}

/** Returns the number of two words, rounded above 2^53. */
export function toNumber(low: number, high: number, signed: boolean): number {
  return (signed ? high : high >>> 0) * TWO_32 + (low >>> 0);
}

/** Returns the bigint of two words. */
export function toBigInt(low: number, high: number, signed: boolean): bigint {
  return (BigInt(signed ? high : high >>> 0) << 32n) | BigInt(low >>> 0);
}

/** The Long of {@link configure}. It holds for the process, as in protobuf.js. */
let configured: LongConstructor | null = null;

/** Options of {@link configure}. */
export interface Configuration {
  /**
   * The class of npm `long`. With null, Readers use the class of an attached protobuf.js, or without one read 64-bit integers as
   * numbers. Readers of an installed protobuf.js use its own class if it has one.
   */
  readonly Long?: LongConstructor | null;
}

/**
 * Sets the class of 64-bit integers for all Readers. protobuf.js looks for npm `long`; this library imports nothing.
 * Throws `ERR_INVALID_ARGUMENT` if it is neither a class nor null, and for an unknown option.
 *
 * @example
 * import Long from "long";
 * configure({ Long });
 */
export function configure(configuration: Configuration): void {
  const given = optionsObject(configuration, "configuration");
  refuseUnknown(given, ["Long"]);
  const Long = ownOption(given, "Long");
  if (Long === undefined) return;
  if (Long !== null && typeof Long !== "function") throw invalidArgument("Long must be a class or null");
  configured = Long as LongConstructor | null;
}

/** Returns the Long of {@link configure}, or null. */
export function configuredLong(): LongConstructor | null {
  return configured;
}

/** The Longs of attached libraries, by their Reader classes, oldest first. */
const attachedLongs = /* @__PURE__ */ new Map<object, LongConstructor>();
/** The first of them, which is looked up once. */
let attachedLong: LongConstructor | null = null;

/** Makes Readers use a library's Long if none is configured, until {@link detachLong}. null: the library has none. */
export function attachLong(owner: object, Long: LongConstructor | null): void {
  if (Long === null) return detachLong(owner);
  attachedLongs.set(owner, Long);
  [attachedLong = null] = attachedLongs.values();
}

/** Undoes {@link attachLong}. */
export function detachLong(owner: object): void {
  attachedLongs.delete(owner);
  [attachedLong = null] = attachedLongs.values();
}

/** Returns the configured Long, otherwise the Long of an attached library, otherwise null. */
export function currentLong(): LongConstructor | null {
  return configured ?? attachedLong;
}
