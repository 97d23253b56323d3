/** How many points metrics have, and their first and last times. */
import type { Match, MetricHandle, Series } from "@moonpack/series";

/** The points of one or more metrics: their number, and the times of the first and the last in milliseconds. */
export interface Extent {
  readonly points: number;
  readonly first?: number;
  readonly last?: number;
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Points per window: the total, and the starts of the first and the last window that has points. */
interface Windows {
  points: number;
  first: number;
  last: number;
}

/**
 * Returns the extent of all metrics together. Most of the points are not read: a store counts the points of windows, so that only the
 * first and the last minute are.
 */
export async function extentOf(series: Series): Promise<Extent> {
  const days = await countedBy(series, {}, "1d", 0, Infinity);
  if (days.points === 0) return { points: 0 };
  const { first } = await countedBy(series, {}, "1m", days.first, days.first + DAY);
  const { last } = await countedBy(series, {}, "1m", days.last, days.last + DAY);
  const [least] = await timesIn(series, first);
  const [, greatest] = await timesIn(series, last);
  return { points: days.points, first: least, last: greatest };
}

/** Returns the extent of a metric. */
export async function extentOfMetric(series: Series, metric: MetricHandle): Promise<Extent> {
  let points = 0;
  for await (const { count } of series.query({ metric, window: "1d", aggregate: ["count"] })) points += Number(count);
  const last = await series.last(metric);
  if (points === 0 || last === undefined) return { points };
  for await (const { timestamp } of series.query({ metric, limit: 1 }))
    return { points, first: timestamp, last: last.timestamp };
  return { points };
}

async function countedBy(
  series: Series,
  match: Match,
  window: "1d" | "1m",
  from: number,
  to: number,
): Promise<Windows> {
  const found: Windows = { points: 0, first: Infinity, last: -Infinity };
  const range = { from, ...(to !== Infinity && { to }) };
  const selected = series.select({ ...match, ...range, window, aggregate: ["count"] });
  for await (const { starts, columns } of selected.batches()) {
    for (let i = 0; i < starts.length; i++) {
      found.points += Number(columns.count[i]!);
      found.first = Math.min(found.first, starts[i]!);
      found.last = Math.max(found.last, starts[i]!);
    }
  }
  return found;
}

/** Returns the first and the last time of the points of a minute. */
async function timesIn(series: Series, minute: number): Promise<[first: number, last: number]> {
  let [first, last] = [Infinity, -Infinity];
  for await (const { points } of series.select({ from: minute, to: minute + MINUTE })) {
    for await (const { length, timestamps } of points.batches()) {
      if (length === 0) continue;
      first = Math.min(first, timestamps[0]!);
      last = Math.max(last, timestamps[length - 1]!);
    }
  }
  return [first, last];
}
