/** The samples of range selectors and the points of subqueries, series by series. */
import type { Grid, RangePlan, SubqueryPlan } from "../plan/nodes.js";
import type { Run } from "./run.js";
import { isStale } from "./selector.js";
import type { RangeSeries, Sink, StepSeries } from "./series.js";
import type { SampleSeries } from "./source.js";

/** Calls `sink` with the samples of each series. They include all ranges of the query's steps. */
export async function eachRange(run: Run, plan: RangePlan | SubqueryPlan, sink: Sink<RangeSeries>): Promise<void> {
  if (plan.kind === "range") return run.samples.each(plan.read, (series) => sink(withoutMarkers(series)));
  const { grid, expression } = plan;
  if (grid.count === 0) return;
  run.budget.hold(grid.count);
  const times = timesOf(grid);
  await run.each(expression, grid, (series) => sink(pointsOf(series, times)));
  run.budget.release(grid.count);
}

/** Returns the times of a grid. */
export function timesOf({ start, step, count }: Grid): Float64Array {
  const times = new Float64Array(count);
  for (let i = 0; i < count; i++) times[i] = start + i * step;
  return times;
}

function withoutMarkers({ labels, timestamps, values, stale }: SampleSeries): RangeSeries {
  if (stale === undefined) return { labels, dropName: false, timestamps, values };
  const isSample = (_: number, i: number) => !isStale(stale, i);
  return { labels, dropName: false, timestamps: timestamps.filter(isSample), values: values.filter(isSample) };
}

/** Returns the steps that have a value as samples. */
export function pointsOf({ labels, dropName, values, present }: StepSeries, times: Float64Array): RangeSeries {
  if (!present.includes(0)) return { labels, dropName, timestamps: times, values };
  const isPresent = (_: number, i: number) => present[i] === 1;
  return { labels, dropName, timestamps: times.filter(isPresent), values: values.filter(isPresent) };
}

/** Returns the samples of a series after `from` up to `to`. */
export function within(series: RangeSeries, from: number, to: number): RangeSeries {
  const { timestamps } = series;
  let low = 0;
  while (low < timestamps.length && timestamps[low]! <= from) low++;
  let high = low;
  while (high < timestamps.length && timestamps[high]! <= to) high++;
  return { ...series, timestamps: timestamps.slice(low, high), values: series.values.slice(low, high) };
}

/** Returns the range of a plan at a time: after `from`, up to `to`. */
export function rangeAt(
  { range, offset, at }: RangePlan | SubqueryPlan,
  { start }: Grid,
): { from: number; to: number } {
  const to = (at ?? start) - offset;
  return { from: to - range, to };
}
