import { build, decodeFromCompressedBase64, type Histogram } from "hdr-histogram-js";

/** A histogram of nanoseconds up to a minute, with three digits. */
export function latencyHistogram(): Histogram {
  return build({ lowestDiscernibleValue: 1, highestTrackableValue: 60e9, numberOfSignificantValueDigits: 3 });
}

/** The median, the 99th percentile and the maximum, in microseconds. */
export function latenciesOf(histogram: string): Readonly<Record<"p50" | "p99" | "max", number>> {
  const decoded = decodeFromCompressedBase64(histogram);
  return {
    p50: decoded.getValueAtPercentile(50) / 1000,
    p99: decoded.getValueAtPercentile(99) / 1000,
    max: decoded.maxValue / 1000,
  };
}
