/** Reads written points back. A store that returns other points is not measured. */
import type { MetricHandle, Series } from "@moonpack/series";
import { Random } from "../../workloads/random.js";
import { timeOf } from "./load.js";
import { uniformValue } from "./values.js";

/** Reads and compares all points of a metric from one tick to before another. */
export async function checkPoints(
  series: Series,
  metric: MetricHandle,
  index: number,
  from: number,
  to: number,
): Promise<void> {
  let tick = from;
  const range = { from: timeOf(from), to: timeOf(to) };
  for await (const { length, timestamps, values } of series.query({ metric, ...range }).batches()) {
    for (let i = 0; i < length; i++, tick++) {
      if (timestamps[i] !== timeOf(tick) || values[i] !== uniformValue(index, tick))
        throw new Error(`metric ${index} has ${values[i]} at ${timestamps[i]}, which is not point ${tick}`);
    }
  }
  if (tick !== to) throw new Error(`metric ${index} has ${tick - from} points instead of ${to - from}`);
}

/** Compares all points of some metrics. */
export async function checkSome(
  series: Series,
  metrics: readonly MetricHandle[],
  ticks: number,
  count: number,
): Promise<void> {
  const random = new Random(metrics.length);
  for (let i = 0; i < count; i++) {
    const index = random.integer(0, metrics.length - 1);
    await checkPoints(series, metrics[index]!, index, 0, ticks);
  }
}

/** Reads a range, checks how many points it has and the first and the last of them, and returns their number. */
export async function readRange(
  series: Series,
  metric: MetricHandle,
  index: number,
  from: number,
  to: number,
): Promise<number> {
  let count = 0;
  let last = Number.NaN;
  for await (const { length, values } of series.query({ metric, from: timeOf(from), to: timeOf(to) }).batches()) {
    if (count === 0 && values[0] !== uniformValue(index, from)) throw new Error(`metric ${index} has another value`);
    count += length;
    last = values[length - 1] as number;
  }
  if (count !== to - from || last !== uniformValue(index, to - 1))
    throw new Error(`metric ${index} has ${count} points that end with ${last}`);
  return count;
}
