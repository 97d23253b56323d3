/** The column `index`: for each tag and each chunk of 4,096 ids, which metrics have the tag. */
import { pack } from "./bits.ts";
import { fixed, fixedBE, utf8 } from "./bytes.ts";

const CHUNK = 4096;

/** Lists are shorter than this; from here on it is a bitmap. */
const BITMAP_FROM = 256;

/** The name of a metric is the tag with the empty key. */
export function indexKey(tagKey: string, tagValue: string, chunk: number): number[] {
  return [...utf8(tagKey), 0, ...utf8(tagValue), 0, ...fixedBE(chunk, 4)];
}

export function chunkOf(id: number): number {
  return Math.floor(id / CHUNK);
}

/** The value for these ids, ascending, all of one chunk. */
export function encodeChunk(ids: readonly number[]): number[] {
  const places = ids.map((id) => id % CHUNK);
  if (places.length < BITMAP_FROM) return places.flatMap((place) => fixed(place, 2));
  const present = new Set(places);
  return pack(Array.from({ length: CHUNK }, (_, place) => (present.has(place) ? "1" : "0")).join(""));
}
