/**
 * Histograms in HdrHistogram's format V2, compressed, in base64. They come from files of others: a few bytes can stand for gigabytes of
 * counts, and the library reads them for as long as their numbers say. So size, range and counts are checked before it decodes.
 *
 * The library's files are imported one by one: its index loads WebAssembly, by a loader that fails under `--frozen-intrinsics`.
 */
import { inflateSync } from "node:zlib";
import { doDecode } from "hdr-histogram-js/dist/JsHistogram.encoding.js";
import type { JsHistogram } from "hdr-histogram-js/dist/JsHistogram.js";
import { constructorFromBucketSize } from "hdr-histogram-js/dist/JsHistogramFactory.js";
import { ByteReader } from "moonpack/bytes";

/** The range and the precision of all histograms here. */
export const HOUR_NS = 3.6e12;
const DIGITS = 3;
const LOWEST = 1;
/** Counts of 32 bits: 2,048 for the lowest times, 1,024 for each of 31 powers of two above. */
const BITS = 32;
const COUNTS = 33 * 1024;

/** The first words, without the bits for the size of counts. */
const COMPRESSED_COOKIE = 0x1c849304;
const COOKIE = 0x1c849303;
const COOKIE_MASK = ~0xf0;
const HEADER_BYTES = 40;
/** The most bytes of a histogram: a varint for each count. */
const MOST_BYTES = HEADER_BYTES + 5 * COUNTS;

/** An empty histogram. */
export function emptyHistogram(): JsHistogram {
  return new (constructorFromBucketSize(BITS))(LOWEST, HOUR_NS, DIGITS);
}

/** The histogram of a text. Throws for other texts, errors of many kinds. */
export function decodedHistogram(text: string): JsHistogram {
  const whole = Buffer.from(text, "base64");
  const outer = new ByteReader(whole);
  const isCompressed = (outer.u32() & COOKIE_MASK) === COMPRESSED_COOKIE && outer.u32() === whole.length - outer.pos;
  if (!isCompressed) throw new Error("not a compressed histogram");
  const bytes = inflateSync(whole.subarray(outer.pos), { maxOutputLength: MOST_BYTES });
  if (!isHistogram(bytes)) throw new Error("not a histogram of this range");
  return doDecode(bytes, BITS);
}

function isHistogram(bytes: Uint8Array): boolean {
  const reader = new ByteReader(bytes);
  if ((reader.u32() & COOKIE_MASK) !== COOKIE || reader.u32() !== bytes.length - HEADER_BYTES) return false;
  reader.u32(); // an offset that is not used
  if (reader.u32() !== DIGITS || int64(reader) !== LOWEST || int64(reader) !== HOUR_NS) return false;
  reader.raw(HEADER_BYTES - reader.pos); // a ratio that is not used
  let counts = 0;
  while (reader.pos < bytes.length) {
    const count = reader.ivar32();
    counts += count < 0 ? -count : 1; // negative: zeros in turn
  }
  return counts <= COUNTS;
}

function int64(reader: ByteReader): number {
  return reader.u32() * 2 ** 32 + reader.u32();
}
