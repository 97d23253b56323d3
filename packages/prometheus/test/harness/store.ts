/** Stores with series for tests. */
import type { Labels } from "@moonpack/prometheus";
import { memory, openSeries, type Series } from "@moonpack/series";
import { markerMetric, storedMetric } from "../../src/store/stored-labels.ts";
import { type Point, STALE } from "./memory-source.ts";

/** The clock of the stores. */
export const NOW = 1_700_010_000_000;

/** Opens a store in memory. */
export function openStore(): Promise<Series> {
  return openSeries({ driver: memory(), now: () => NOW });
}

/** Writes points of a series, `gap` milliseconds apart. */
export async function writePoints(
  store: Series,
  labels: Labels,
  start: number,
  gap: number,
  points: readonly Point[],
): Promise<void> {
  const { __name__: name = "", ...others } = Object.fromEntries(labels);
  const metric = storedMetric(name, others);
  const times = points.map((_, i) => start + i * gap);
  const isValue = (_: number, i: number) => typeof points[i] === "number";
  const values = Float64Array.from(points.filter((point) => typeof point === "number"));
  if (values.length > 0) await store.writeColumn(metric, Float64Array.from(times.filter(isValue)), values);
  const markers = Float64Array.from(times.filter((_, i) => points[i] === STALE));
  if (markers.length > 0)
    await store.writeColumn(
      markerMetric(metric),
      markers,
      markers.map(() => 1),
    );
}
