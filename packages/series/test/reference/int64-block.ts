/** Value blocks of int64 metrics. */
import { type Cursor, fixed } from "./bytes.ts";
import { decodeFor, encodeFor } from "./frame-of-reference.ts";
import { decodeIntegers, encodeIntegers, LIMIT } from "./integers.ts";
import { differencesOf, isWithin, sumsOf } from "./lists.ts";
import { decodeXor, encodeXor } from "./xor.ts";

/** In the head: the block belongs to an int64 metric. */
export const INT64 = 0x10;
const XOR = 4;
const WIDE_DELTA = 5;

export function encodeInt64s(values: readonly bigint[]): number[] {
  if (values.every((value) => isWithin(value, LIMIT))) {
    const { codec, bytes } = encodeIntegers(values);
    return [INT64 | codec, ...bytes];
  }
  const differences = differencesOf(values);
  if (differences.every((difference) => isWithin(difference, LIMIT)))
    return [INT64 | WIDE_DELTA, ...fixed(values[0]!, 8), ...encodeFor(differences)];
  return [INT64 | XOR, ...encodeXor(values.map((value) => BigInt.asUintN(64, value)))];
}

/** Reads the rest of a block, after its head. */
export function decodeInt64s(head: number, count: number, cursor: Cursor): bigint[] {
  const codec = head % 8;
  if (codec === WIDE_DELTA) return sumsOf(signed(cursor.fixed(8)), decodeFor(count - 1, cursor));
  if (codec === XOR) return decodeXor(count, cursor).map(signed);
  return decodeIntegers(codec, count, cursor);
}

function signed(pattern: bigint): bigint {
  return BigInt.asIntN(64, pattern);
}
