/**
 * Histograms in HdrHistogram's format V2, compressed, in base64. They may come from untrusted files: a few bytes can represent gigabytes
 * of counts, and the library does not limit them. So size, range and counts are checked before it decodes.
 *
 * The library's files are imported one by one: its index loads WebAssembly, with a loader that fails under `--frozen-intrinsics`.
 */
import { inflateSync } from "node:zlib";
import { doDecode } from "hdr-histogram-js/dist/JsHistogram.encoding.js";
import type { JsHistogram } from "hdr-histogram-js/dist/JsHistogram.js";
import { constructorFromBucketSize } from "hdr-histogram-js/dist/JsHistogramFactory.js";
import { ByteReader } from "moonpack/bytes";

/** The range and precision of all histograms of this package. */
export const HOUR_NS = 3.6e12;
const DIGITS = 3;
const LOWEST = 1;
/** 32-bit counts: 2,048 for the lowest times, 1,024 for each of 31 powers of two above. */
const BITS = 32;
const COUNTS = 33 * 1024;

/** The first words of the format, without the bits for the size of counts. */
const COMPRESSED_COOKIE = 0x1c849304;
const COOKIE = 0x1c849303;
const COOKIE_MASK = ~0xf0;
const HEADER_BYTES = 40;
/** Maximum bytes of a histogram: a varint for each count. */
const MAX_BYTES = HEADER_BYTES + 5 * COUNTS;

/** Returns an empty histogram. */
export function emptyHistogram(): JsHistogram {
  return new (constructorFromBucketSize(BITS))(LOWEST, HOUR_NS, DIGITS);
}

/** Returns the histogram of a text. Throws errors of various kinds for other texts. */
export function decodedHistogram(text: string): JsHistogram {
  const whole = Buffer.from(text, "base64");
  const outer = new ByteReader(whole);
  const isCompressed = (outer.u32() & COOKIE_MASK) === COMPRESSED_COOKIE && outer.u32() === whole.length - outer.pos;
  if (!isCompressed) throw new Error("not a compressed histogram");
  const bytes = inflateSync(whole.subarray(outer.pos), { maxOutputLength: MAX_BYTES });
  if (!isHistogram(bytes)) throw new Error("not a histogram of this range");
  return doDecode(bytes, BITS);
}

function isHistogram(bytes: Uint8Array): boolean {
  const reader = new ByteReader(bytes);
  if ((reader.u32() & COOKIE_MASK) !== COOKIE || reader.u32() !== bytes.length - HEADER_BYTES) return false;
  reader.u32(); // an unused offset
  if (reader.u32() !== DIGITS || int64(reader) !== LOWEST || int64(reader) !== HOUR_NS) return false;
  reader.raw(HEADER_BYTES - reader.pos); // an unused ratio
  let counts = 0;
  while (reader.pos < bytes.length) {
    const count = reader.ivar32();
    counts += count < 0 ? -count : 1; // negative: a run of zeros
  }
  return counts <= COUNTS;
}

function int64(reader: ByteReader): number {
  return reader.u32() * 2 ** 32 + reader.u32();
}
