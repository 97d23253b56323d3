/** The interface to the data of queries. */
import type { LabelMatcher } from "../parse/nodes.js";
import type { Labels } from "./labels.js";

/** The samples of one series in a range of time. The arrays are not changed by queries. */
export interface SampleSeries {
  readonly labels: Labels;
  /** The times in milliseconds, ascending, each once. */
  readonly timestamps: Float64Array;
  /** The values, in the order of the times. The value of a staleness marker is ignored. */
  readonly values: Float64Array;
  /** Bits for staleness markers: bit `i & 7` of byte `i >> 3` is 1 if sample `i` is one. Undefined without any. */
  readonly stale?: Uint8Array | undefined;
}

/**
 * The data that a query reads.
 *
 * @example
 * const source: SeriesSource = { async *select(matchers, from, to, signal) { yield { labels, timestamps, values }; } };
 */
export interface SeriesSource {
  /**
   * Returns the series that meet all conditions and have samples, staleness markers included, from `from` to `to`, both included,
   * in milliseconds. The signal aborts the read.
   */
  select(
    matchers: readonly LabelMatcher[],
    from: number,
    to: number,
    signal: AbortSignal | undefined,
  ): AsyncIterable<SampleSeries>;
}
