/** Time column of kind 3: the first gap, then how each further gap differs from the one before. */
import { BitReader, bitsOf, pack, signedOf } from "./bits.ts";
import type { Cursor } from "./bytes.ts";
import { differencesOf, sumsOf } from "./lists.ts";
import { readUvar, uvar } from "./varint.ts";

/** Classes by size: a prefix, and the bits of the difference. */
const CLASSES = [
  { prefix: "0", width: 0 },
  { prefix: "10", width: 3 },
  { prefix: "110", width: 6 },
  { prefix: "1110", width: 10 },
  { prefix: "11110", width: 17 },
  { prefix: "11111", width: 24 },
] as const;

export function encodeDeltas(gaps: readonly bigint[]): number[] {
  return [...uvar(gaps[0]!), ...pack(differencesOf(gaps).map(encodeDelta).join(""))];
}

function encodeDelta(delta: bigint): string {
  const smallest = CLASSES.find(({ width }) => BigInt.asIntN(width, delta) === delta);
  if (smallest === undefined) throw new Error(`${delta} needs more than 24 bits`);
  return smallest.prefix + bitsOf(delta, smallest.width);
}

export function decodeDeltas(count: number, cursor: Cursor): bigint[] {
  const first = readUvar(cursor);
  const reader = new BitReader(cursor);
  const deltas: bigint[] = [];
  while (deltas.length < count - 1) deltas.push(signedOf(reader.take(readClass(reader))));
  return sumsOf(first, deltas);
}

/** Reads a prefix and returns the width of the number after it. */
function readClass(reader: BitReader): number {
  let prefix = "";
  for (;;) {
    prefix += reader.take(1);
    const found = CLASSES.find((one) => one.prefix === prefix);
    if (found !== undefined) return found.width;
  }
}
