import { badInput } from "../shared/failure.js";

/** `toExponential` accepts at most this many digits; it writes one more. */
const MAX_DIGITS = 100;

/**
 * Converts a JSON number without rounding an integer. Digits alone are an integer, exact up to 64 bits. With a fraction or an
 * exponent it is a float if that float, written with as many digits, gives the same number. Otherwise a fraction becomes the
 * nearest float, and an integer such as 9007199254740993.0 stays an integer. Throws `ERR_OUT_OF_RANGE` for a number that neither
 * type can hold, and for one that a float would turn into zero or infinity.
 */
export function exactNumber(text: string, at: number): number | bigint {
  const value = Number(text);
  const [, sign, whole, fraction = "", exponent = "0"] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE](.+))?$/.exec(text)!;
  if (whole!.length === text.length - sign!.length) {
    if (Number.isSafeInteger(value)) return value;
    return fitting(text.length <= 20 ? BigInt(text) : undefined, text, at);
  }
  const digits = (whole + fraction).replace(/^0+/, "");
  if (!Number.isFinite(value)) throw outOfRange(`${shorten(text)} is too large for a 64-bit float`, at);
  if (value === 0 && digits !== "")
    throw outOfRange(`${shorten(text)} is too small for a 64-bit float, which would be 0`, at);
  if (Math.abs(value) <= Number.MAX_SAFE_INTEGER) return value;
  const significant = digits.replace(/0+$/, "");
  const zeros = Number(exponent) - fraction.length + digits.length - significant.length;
  if (zeros < 0) return value;
  const exact = BigInt(`${sign}${significant}${"0".repeat(zeros)}`);
  if (exact === BigInt(value) || writtenAs(value, significant)) return value;
  return fitting(exact, text, at);
}

/**
 * True if these are the digits of the float, either in its shortest form or rounded to as many digits. Programs print floats in
 * one of these forms. At powers of two the shortest form is not always the rounded one.
 */
function writtenAs(value: number, significant: string): boolean {
  if (digitsOf(value.toExponential()) === significant) return true;
  return significant.length <= MAX_DIGITS && digitsOf(value.toExponential(significant.length - 1)) === significant;
}

function digitsOf(written: string): string {
  return written.slice(0, written.indexOf("e")).replace(/[-.]/g, "");
}

function fitting(exact: bigint | undefined, text: string, at: number): bigint {
  if (exact !== undefined && exact >= -(2n ** 63n) && exact < 2n ** 64n) return exact;
  throw outOfRange(`the integer ${shorten(text)} does not fit in 64 bits`, at);
}

function outOfRange(message: string, at: number): Error {
  return badInput("ERR_OUT_OF_RANGE", message, at);
}

function shorten(text: string): string {
  return text.length > 40 ? `${text.slice(0, 30)}.. (${text.length} characters)` : text;
}
