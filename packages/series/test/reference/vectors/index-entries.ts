/** Vectors of the tag index: keys, lists, bitmaps, and the border between these two. */
import { hexOf } from "../bytes.ts";
import { chunkOf, encodeChunk, indexKey } from "../tag-index.ts";
import type { Vector } from "./notation.ts";
import { listOf } from "./random.ts";

function vector(name: string, tag: readonly [key: string, value: string], ids: readonly number[]): Vector {
  const chunk = chunkOf(ids[0]!);
  return { name, tag, ids, key: hexOf(indexKey(...tag, chunk)), bytes: hexOf(encodeChunk(ids)) };
}

export function indexVectors(): Vector[] {
  return [
    vector("one id", ["host", "a1"], [0]),
    vector("a name is the tag with the empty key", ["", "cpu"], [3, 5, 4095]),
    vector("the second chunk", ["host", "a1"], [4096, 8191]),
    vector("the last chunk, text of several bytes", ["é", "𝄞"], [2 ** 31 - 1]),
    vector("255 ids are a list", ["dc", "eu"], [...listOf(255, (i) => 8192 + 16 * i)]),
    vector("256 ids are a bitmap", ["dc", "eu"], [...listOf(256, (i) => 8192 + 15 * i)]),
  ];
}
