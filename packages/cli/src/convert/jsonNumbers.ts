import { badInput } from "../shared/failure.js";

/** `toExponential` writes up to so many digits and one more. */
const MOST_DIGITS = 100;

/**
 * A JSON number as it is, never an integer that was rounded. Digits alone are an integer: exact up to 64 bits. With a
 * fraction or an exponent it is a float, if that float, written with as many digits, is the number again; if not, a
 * fraction is the nearest float, and an integer (9007199254740993.0) is kept as one. What neither can hold, and what a
 * float would turn into zero or infinity, is `ERR_OUT_OF_RANGE`.
 */
export function exactNumber(text: string, at: number): number | bigint {
  const value = Number(text);
  const [, sign, whole, fraction = "", exponent = "0"] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE](.+))?$/.exec(text)!;
  if (whole!.length === text.length - sign!.length) {
    if (Number.isSafeInteger(value)) return value;
    return fitting(text.length <= 20 ? BigInt(text) : undefined, text, at);
  }
  const digits = (whole + fraction).replace(/^0+/, "");
  if (!Number.isFinite(value)) throw outOfRange(`${shorten(text)} is beyond what a 64-bit float can hold`, at);
  if (value === 0 && digits !== "") throw outOfRange(`${shorten(text)} is too small: a 64-bit float makes it 0`, at);
  if (Math.abs(value) <= Number.MAX_SAFE_INTEGER) return value;
  const significant = digits.replace(/0+$/, "");
  const zeros = Number(exponent) - fraction.length + digits.length - significant.length;
  if (zeros < 0) return value;
  const exact = BigInt(`${sign}${significant}${"0".repeat(zeros)}`);
  if (exact === BigInt(value) || writtenAs(value, significant)) return value;
  return fitting(exact, text, at);
}

/**
 * Is the float written with these digits, where it is written in the shortest way, or rounded to as many digits as these
 * are? So floats are printed everywhere. At powers of two the shortest way is not always the rounded one.
 */
function writtenAs(value: number, significant: string): boolean {
  if (digitsOf(value.toExponential()) === significant) return true;
  return significant.length <= MOST_DIGITS && digitsOf(value.toExponential(significant.length - 1)) === significant;
}

function digitsOf(written: string): string {
  return written.slice(0, written.indexOf("e")).replace(/[-.]/g, "");
}

function fitting(exact: bigint | undefined, text: string, at: number): bigint {
  if (exact !== undefined && exact >= -(2n ** 63n) && exact < 2n ** 64n) return exact;
  throw outOfRange(`the integer ${shorten(text)} does not fit 64 bits`, at);
}

function outOfRange(message: string, at: number): Error {
  return badInput("ERR_OUT_OF_RANGE", message, at);
}

function shorten(text: string): string {
  return text.length > 40 ? `${text.slice(0, 30)}.. (${text.length} characters)` : text;
}
