/** Parses the values of imported text. Nothing is rounded to infinity, and int64 stays exact. */
import { quoted, RecordError } from "./record-error.js";

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const SPECIAL = /^([+-]?)(?:(inf(?:inity)?)|nan)$/i;
const INTEGER = /^[+-]?\d+$/;
/** Integers of up to this many characters are exact as a number. */
const SAFE_LENGTH = 15;
/** The longest text that is parsed as an int64, with room for leading zeros. */
const MAX_DIGITS = 40;
const INT64_END = 2n ** 63n;

/** True for a text that means NaN or an infinity. */
export function isSpecial(text: string): boolean {
  return SPECIAL.test(text);
}

/** The float that a text means: a decimal number, `NaN`, `Inf` or `Infinity` in any case. `column` is for errors. */
export function floatOf(text: string, column?: number): number {
  if (DECIMAL.test(text)) {
    const value = Number(text);
    if (Number.isFinite(value)) return value;
    throw new RecordError("ERR_OUT_OF_RANGE", `the value ${quoted(text)} is too large for a 64-bit float`, column);
  }
  const [, sign, infinity] = SPECIAL.exec(text) ?? [];
  if (sign === undefined) throw new RecordError("ERR_OUT_OF_RANGE", notNumber(text), column);
  if (infinity === undefined) return NaN;
  return sign === "-" ? -Infinity : Infinity;
}

/** The integer that a text means: a safe integer as a number, any other int64 as a bigint. `column` is for errors. */
export function int64Of(text: string, column?: number): number | bigint {
  if (!INTEGER.test(text)) {
    const what = text === "" ? "the value is empty" : `the value ${quoted(text)} is not an integer`;
    throw new RecordError("ERR_OUT_OF_RANGE", what, column);
  }
  // Adding 0 turns -0 into 0: integers have only one zero.
  if (text.length <= SAFE_LENGTH) return Number(text) + 0;
  if (text.length <= MAX_DIGITS) {
    const value = BigInt(text.startsWith("+") ? text.slice(1) : text);
    if (value >= -INT64_END && value < INT64_END) return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  }
  throw new RecordError("ERR_OUT_OF_RANGE", `${quoted(text)} is not an int64: -2^63 to 2^63 - 1`, column);
}

/** The error text for a text that is not a number. */
export function notNumber(text: string): string {
  return text === "" ? "the value is empty" : `the value ${quoted(text)} is not a number`;
}

/** A float as text that {@link floatOf} reads back: `-0` keeps its sign, the specials are `NaN`, `Infinity`, `-Infinity`. */
export function floatText(value: number): string {
  return Object.is(value, -0) ? "-0" : String(value);
}
