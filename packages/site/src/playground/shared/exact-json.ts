// JSON without loss: integers up to 64 bits are exact, as the command line reads them.
import { parse } from "lossless-json";

/** Sixteen digits may be an integer that no double holds. Without such, the parser of the browser does it, which is faster. */
const LONG_NUMBER = /\d{16}/;
const INTEGER = /^-?\d+$/;
const LEAST = -(2n ** 63n);
const MOST = 2n ** 64n - 1n;

/** Parses JSON. Integers beyond 2^53 are bigints. Throws an Error with the place of the fault. */
export function parseJson(text: string): unknown {
  return LONG_NUMBER.test(text) ? parse(text, undefined, numberOf) : (JSON.parse(text) as unknown);
}

function numberOf(text: string): number | bigint {
  const value = Number(text);
  if (!INTEGER.test(text) || Number.isSafeInteger(value)) return value;
  const exact = BigInt(text);
  if (exact < LEAST || exact > MOST) throw new Error(`the integer ${text.slice(0, 40)} does not fit in 64 bits`);
  return exact;
}
