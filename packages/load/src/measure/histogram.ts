/** Latencies: HDR histograms of nanoseconds up to an hour, with three significant digits. */
import type { Percentiles } from "../result.js";
import { decodedHistogram, emptyHistogram, HOUR_NS } from "./histogram-bytes.js";

const MS_NS = 1e6;

/** A histogram of times. */
export class Latencies {
  readonly #histogram = emptyHistogram();

  /** Merges histograms from {@link Latencies.encoded}. */
  static merged(encoded: readonly string[]): Latencies {
    const all = new Latencies();
    for (const text of encoded) all.#histogram.add(decodedHistogram(text));
    return all;
  }

  /** True for text that {@link Latencies.merged} can read. */
  static isEncoded(text: string): boolean {
    try {
      decodedHistogram(text);
      return true;
    } catch {
      return false;
    }
  }

  /** Records a time in milliseconds. */
  record(milliseconds: number): void {
    const nanoseconds = Math.round(milliseconds * MS_NS);
    this.#histogram.recordValue(nanoseconds < HOUR_NS ? nanoseconds : HOUR_NS);
  }

  get count(): number {
    return this.#histogram.totalCount;
  }

  /** Returns a percentile in milliseconds. */
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
    return this.#histogram.encodeIntoCompressedBase64();
  }
}
