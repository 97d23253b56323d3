/** The content of a store, as Prometheus' series. */
import type { Series } from "@moonpack/series";
import { isMarkerMetric, labelsOf } from "../../src/store/stored-labels.ts";

/** Returns the points of each series after its text: the time since `start`, and the value, or `stale` for a marker. */
export async function storedContent(
  store: Series,
  start: number,
): Promise<Record<string, (readonly [number, number | "stale"])[]>> {
  const content = new Map<string, (readonly [number, number | "stale"])[]>();
  for await (const { metric, points } of store.select({})) {
    const key = String(labelsOf(metric));
    const all = content.get(key) ?? [];
    for (const { timestamp, value } of await points.toArray())
      all.push([timestamp - start, isMarkerMetric(metric) ? "stale" : Number(value)]);
    content.set(
      key,
      all.sort(([a], [b]) => a - b),
    );
  }
  return Object.fromEntries(content);
}
