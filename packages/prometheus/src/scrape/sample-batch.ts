/** The samples of one scrape. */
import type { SampleColumns } from "../store/sample-writer.js";
import type { ScrapedSeries } from "./scraped-series.js";

/** Samples, one after the other. */
export class SampleBatch {
  readonly #series: ScrapedSeries[] = [];
  readonly #timestamps: number[] = [];
  readonly #values: number[] = [];
  readonly #stale: number[] = [];

  /** Adds the value of a series at a time. */
  add(series: ScrapedSeries, timestamp: number, value: number): void {
    this.#push(series, timestamp, value, 0);
  }

  /** Adds a staleness marker. */
  end(series: ScrapedSeries, timestamp: number): void {
    this.#push(series, timestamp, Number.NaN, 1);
  }

  get columns(): SampleColumns {
    return {
      series: this.#series,
      offsets: Uint32Array.from({ length: this.#series.length + 1 }, (_, i) => i),
      timestamps: Float64Array.from(this.#timestamps),
      values: Float64Array.from(this.#values),
      stale: Uint8Array.from(this.#stale),
    };
  }

  #push(series: ScrapedSeries, timestamp: number, value: number, stale: number): void {
    this.#series.push(series);
    this.#timestamps.push(timestamp);
    this.#values.push(value);
    this.#stale.push(stale);
  }
}
