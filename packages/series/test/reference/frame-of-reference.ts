/** FOR: runs of 64 integers, each run as its minimum and the distances from it in as few bits as the largest needs. */
import { BitReader, bitsOf, pack, unsignedOf, widthOf } from "./bits.ts";
import type { Cursor } from "./bytes.ts";
import { maximumOf, minimumOf, runsOf64 } from "./lists.ts";
import { readZig, zig } from "./varint.ts";

export function encodeFor(list: readonly bigint[]): number[] {
  return runsOf64(list).flatMap((run) => {
    const least = minimumOf(run);
    const width = widthOf(maximumOf(run) - least);
    return [...zig(least), width, ...pack(run.map((value) => bitsOf(value - least, width)).join(""))];
  });
}

export function decodeFor(count: number, cursor: Cursor): bigint[] {
  const list: bigint[] = [];
  while (list.length < count) {
    const least = readZig(cursor);
    const width = cursor.u8();
    const reader = new BitReader(cursor);
    const length = Math.min(64, count - list.length);
    for (let i = 0; i < length; i++) list.push(least + unsignedOf(reader.take(width)));
  }
  return list;
}
