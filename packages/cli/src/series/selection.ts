/** Shared by the reading commands: the choice of metrics, the time range, and the error when nothing matches. */
import type { Match, MetricHandle, Series } from "@moonpack/series";
import { Failure, UsageError } from "../shared/failure.js";
import { metricText } from "./metric-text.js";
import { isoText } from "./times.js";

/** A time range in options, in milliseconds. */
export interface TimeRange {
  readonly from?: number;
  readonly to?: number;
}

/** The time range of options. Throws a UsageError unless `from` is before `to`. */
export function rangeOf({ from, to }: TimeRange): TimeRange {
  if (from !== undefined && to !== undefined && from >= to)
    throw new UsageError(`--from (${isoText(from)}) must be before --to (${isoText(to)})`);
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
}

/** The error for a selector without a match. Names a metric of the store as an example. */
export async function noMetric(series: Series, selector: string): Promise<Failure> {
  for await (const metric of series.metrics())
    return new Failure(`no metric matches ${selector}; the store has, for example, ${metricText(metric)}`);
  return new Failure(`no metric matches ${selector}: the store is empty`);
}

/** Returns at most `most` of the matching metrics, and the number of all of them. */
export async function someMetrics(
  series: Series,
  match: Match,
  most: number,
): Promise<{ readonly metrics: readonly MetricHandle[]; readonly count: number }> {
  const metrics: MetricHandle[] = [];
  let count = 0;
  for await (const metric of series.metrics(match)) if (count++ < most) metrics.push(metric);
  return { metrics, count };
}
