/** NaN, the infinities and -0: float values that no scaled integer stands for. */
import type { Cursor } from "./bytes.ts";
import { readUvar, uvar } from "./varint.ts";

/** The specials by their number on disk. */
const SPECIALS: readonly number[] = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0];

export function isSpecial(value: number): boolean {
  return SPECIALS.some((special) => Object.is(value, special));
}

/** The list of specials among these values, or nothing if there is none. */
export function encodeSpecials(values: readonly number[]): number[] {
  const positions = [...values.keys()].filter((position) => isSpecial(values[position]!));
  if (positions.length === 0) return [];
  const entries = positions.map((position, i) => {
    const distance = i === 0 ? position : position - positions[i - 1]!;
    const kind = SPECIALS.findIndex((special) => Object.is(special, values[position]));
    return [...uvar(distance), kind];
  });
  return [...uvar(positions.length), ...entries.flat()];
}

/** Reads the list, and returns the values with the specials in their positions. */
export function withSpecials(values: readonly number[], cursor: Cursor): number[] {
  const result = [...values];
  let position = 0;
  for (let left = readUvar(cursor); left > 0n; left--) {
    position += Number(readUvar(cursor));
    result[position] = SPECIALS[cursor.u8()]!;
  }
  return result;
}
