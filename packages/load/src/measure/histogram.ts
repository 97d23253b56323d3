/** Latencies: HDR histograms of nanoseconds up to an hour, with three digits. */
import { inflateSync } from "node:zlib";
import { build, decodeFromCompressedBase64, encodeIntoCompressedBase64, type Histogram } from "hdr-histogram-js";
import type { Percentiles } from "../result.js";

const HOUR_NS = 3.6e12;
const MS_NS = 1e6;
const DIGITS = 3;
/** HdrHistogram's formats V2: cookie and length before the compressed bytes, and the fields at the start of the others. */
const COMPRESSED_HEADER_BYTES = 8;
const DIGITS_AT = 12;
const HIGHEST_AT = 24;
const HEADER_BYTES = 40;
/** The most bytes of a histogram that is not compressed: 2^11 counts for each of 32 powers of two, of up to 9 bytes. */
const MOST_BYTES = HEADER_BYTES + 2 ** 11 * 32 * 9;

/** Times of operations. */
export class Latencies {
  readonly #histogram: Histogram;

  constructor(histogram = build({ highestTrackableValue: HOUR_NS, numberOfSignificantValueDigits: DIGITS })) {
    this.#histogram = histogram;
  }

  /** Merges histograms that {@link Latencies.encoded} has written. */
  static merged(encoded: readonly string[]): Latencies {
    const all = new Latencies();
    for (const text of encoded) all.#histogram.add(decodeFromCompressedBase64(text));
    return all;
  }

  /** True for text that {@link Latencies.merged} can read. */
  static isEncoded(text: string): boolean {
    try {
      // A few bytes can stand for gigabytes of counts: the size and the range are checked before the library decodes.
      const compressed = Buffer.from(text, "base64").subarray(COMPRESSED_HEADER_BYTES);
      const bytes = inflateSync(compressed, { maxOutputLength: MOST_BYTES });
      if (bytes.readUInt32BE(DIGITS_AT) !== DIGITS || bytes.readBigInt64BE(HIGHEST_AT) !== BigInt(HOUR_NS))
        return false;
      Latencies.merged([text]);
      return true;
    } catch {
      return false; // the library throws errors of many kinds
    }
  }

  /** Records milliseconds. */
  record(milliseconds: number): void {
    const nanoseconds = Math.round(milliseconds * MS_NS);
    this.#histogram.recordValue(nanoseconds < HOUR_NS ? nanoseconds : HOUR_NS);
  }

  get count(): number {
    return this.#histogram.totalCount;
  }

  /** The time in milliseconds that a share of operations, in per cent, do not exceed. */
  at(percentile: number): number {
    const { maxValue } = this.#histogram;
    return Math.min(this.#histogram.getValueAtPercentile(percentile), maxValue) / MS_NS;
  }

  get percentiles(): Percentiles {
    return {
      p50: this.at(50),
      p90: this.at(90),
      p99: this.at(99),
      p999: this.at(99.9),
      max: this.at(100),
      mean: this.#histogram.mean / MS_NS,
    };
  }

  /** The histogram in HdrHistogram's format V2, compressed, in base64. */
  get encoded(): string {
    return encodeIntoCompressedBase64(this.#histogram);
  }
}
