/** Values of int64 metrics (docs/series-format.md, "Int64 metrics"), two words each. */
import type { ByteReader, ByteWriter } from "moonpack/bytes";
import { readFor, skipFor, writeFor } from "./frame-of-reference.js";

const TWO_32 = 2 ** 32;
/** The largest magnitude of values and differences that are encoded as integers. */
const MAX_M = 2 ** 51;
/** High words of such integers lie between -2^19 and 2^19. */
const MAX_HIGH = 2 ** 19;

/** Copies all values as numbers into `m`. Returns false if one is too large. */
export function int64sAsIntegers(words: Int32Array, n: number, m: Float64Array): boolean {
  for (let i = 0; i < n; i++) {
    const high = words[2 * i + 1]!;
    if (high > MAX_HIGH || high < -MAX_HIGH) return false;
    const value = high * TWO_32 + (words[2 * i]! >>> 0);
    if (value > MAX_M || value < -MAX_M) return false;
    m[i] = value;
  }
  return true;
}

/** Converts the integers of `m` to int64. */
export function integersAsInt64s(m: Float64Array, n: number, words: Int32Array): void {
  for (let i = 0; i < n; i++) {
    const value = m[i]!;
    words[2 * i] = value;
    words[2 * i + 1] = Math.floor(value / TWO_32);
  }
}

/** Writes the differences of all values into `deltas[1..n)`. Returns false if one is too large. */
export function int64Deltas(words: Int32Array, n: number, deltas: Float64Array): boolean {
  for (let i = 1; i < n; i++) {
    const high = words[2 * i + 1]! - words[2 * i - 1]!;
    if (high > MAX_HIGH + 1 || high < -MAX_HIGH - 1) return false;
    const delta = high * TWO_32 + ((words[2 * i]! >>> 0) - (words[2 * i - 2]! >>> 0));
    if (delta > MAX_M || delta < -MAX_M) return false;
    deltas[i] = delta;
  }
  return true;
}

/** Writes codec 5: the first value, then the differences. */
export function writeInt64Deltas(w: ByteWriter, words: Int32Array, n: number, deltas: Float64Array): void {
  w.u64(words[0]!, words[1]!, true);
  if (n > 1) writeFor(w, deltas, 1, n);
}

/** Reads codec 5. */
export function readInt64Deltas(r: ByteReader, words: Int32Array, n: number, deltas: Float64Array): void {
  words[0] = r.u64(true);
  words[1] = r.high;
  if (n > 1) readFor(r, deltas, 1, n);
  for (let i = 1; i < n; i++) {
    const delta = deltas[i]!;
    const low = (words[2 * i - 2]! >>> 0) + (delta >>> 0);
    words[2 * i] = low;
    words[2 * i + 1] = words[2 * i - 1]! + Math.floor(delta / TWO_32) + (low >= TWO_32 ? 1 : 0);
  }
}

/** Skips `n` values of codec 5. */
export function skipInt64Deltas(r: ByteReader, n: number): void {
  r.need(8);
  r.pos += 8;
  if (n > 1) skipFor(r, n - 1);
}
