/** Codec 4: 64-bit patterns as what changes from one to the next. */
import { BitReader, bitsOf, pack, trailingZeros, unsignedOf, widthOf } from "./bits.ts";
import { type Cursor, fixed } from "./bytes.ts";
import { runsOf64 } from "./lists.ts";

/** Set in a run's first byte if one bit for each change says whether it is more than 0. */
const BITMAP = 0x80;

export function encodeXor(patterns: readonly bigint[]): number[] {
  const changes = patterns.slice(1).map((pattern, i) => pattern ^ patterns[i]!);
  return [...fixed(patterns[0]!, 8), ...runsOf64(changes).flatMap(encodeRun)];
}

export function decodeXor(count: number, cursor: Cursor): bigint[] {
  const patterns = [cursor.fixed(8)];
  while (patterns.length < count) {
    const length = Math.min(64, count - patterns.length);
    for (const change of decodeRun(length, cursor)) patterns.push(patterns.at(-1)! ^ change);
  }
  return patterns;
}

function encodeRun(changes: readonly bigint[]): number[] {
  const union = changes.reduce((bits, change) => bits | change, 0n);
  if (union === 0n) return [0];
  const { all, some } = runForms(changes);
  const trail = trailingZeros(union);
  const width = widthOf(union >> BigInt(trail));
  return some.length < all.length ? [width | BITMAP, trail, ...some] : [width, trail, ...all];
}

/** The packed parts of a run that has changes: `all` without the bitmap, `some` with it. */
export function runForms(changes: readonly bigint[]): { all: number[]; some: number[] } {
  const union = changes.reduce((bits, change) => bits | change, 0n);
  const trail = BigInt(trailingZeros(union));
  const width = widthOf(union >> trail);
  const packed = (list: readonly bigint[]) => pack(list.map((change) => bitsOf(change >> trail, width)).join(""));
  const bitmap = pack(changes.map((change) => (change === 0n ? "0" : "1")).join(""));
  return { all: packed(changes), some: [...bitmap, ...packed(changes.filter((change) => change !== 0n))] };
}

function decodeRun(length: number, cursor: Cursor): bigint[] {
  const head = cursor.u8();
  const width = head % BITMAP;
  if (width === 0) return new Array<bigint>(length).fill(0n);
  const trail = BigInt(cursor.u8());
  const bitmap = head >= BITMAP ? new BitReader(cursor).take(length) : "1".repeat(length);
  const reader = new BitReader(cursor);
  return [...bitmap].map((bit) => (bit === "1" ? unsignedOf(reader.take(width)) << trail : 0n));
}
