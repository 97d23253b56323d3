/** Staleness markers, which stores keep beside the samples of a series. */
import { Budget, type QueryLimits } from "../eval/budget.js";
import type { SampleSeries } from "../eval/source.js";
import type { Read, SeriesReader } from "./series-reader.js";

/**
 * Returns the times of the markers of each series that has some, by the key of its labels. Throws `ERR_LIMIT_SERIES` and
 * `ERR_LIMIT_SAMPLES`.
 */
export async function readMarkers(
  reader: SeriesReader,
  read: Read,
  limits: Required<QueryLimits>,
): Promise<ReadonlyMap<string, Float64Array>> {
  const markers = new Map<string, Float64Array>();
  const budget = new Budget(limits);
  for await (const { labels, timestamps } of reader.read(read, true)) {
    budget.hold(timestamps.length);
    markers.set(labels.key, timestamps);
    budget.checkSeries(markers.size);
  }
  return markers;
}

/** Returns a series with its markers. Where both have a time, the sample counts. */
export function withMarkers(series: SampleSeries, markers: Float64Array): SampleSeries {
  const { labels } = series;
  const length = series.timestamps.length + markers.length;
  const timestamps = new Float64Array(length);
  const values = new Float64Array(length);
  const stale = new Uint8Array((length + 7) >> 3);
  let count = 0;
  for (let i = 0, m = 0; i < series.timestamps.length || m < markers.length; count++) {
    const time = series.timestamps[i] ?? Number.POSITIVE_INFINITY;
    const marker = markers[m] ?? Number.POSITIVE_INFINITY;
    if (marker <= time) m++;
    if (time <= marker) values[count] = series.values[i++]!;
    else stale[count >> 3]! |= 1 << (count & 7);
    timestamps[count] = Math.min(time, marker);
  }
  return { labels, timestamps: timestamps.subarray(0, count), values: values.subarray(0, count), stale };
}
