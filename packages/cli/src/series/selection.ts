/** What the reading commands share: which metrics, which part of time, and the text when nothing matches. */
import type { Match, MetricHandle, Series } from "@moonpack/series";
import { Failure, UsageError } from "../shared/failure.js";
import { metricText } from "./metric-text.js";
import { isoText } from "./times.js";

/** A part of time in options, in milliseconds. */
export interface TimeRange {
  readonly from?: number;
  readonly to?: number;
}

/** The part of time of options. Throws a UsageError if it is empty by its bounds. */
export function rangeOf({ from, to }: TimeRange): TimeRange {
  if (from !== undefined && to !== undefined && from >= to)
    throw new UsageError(`--from (${isoText(from)}) must be before --to (${isoText(to)})`);
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
}

/** The error for a selector that selects no metric. It names a metric of the store, if there is any. */
export async function noMetric(series: Series, selector: string): Promise<Failure> {
  for await (const metric of series.metrics())
    return new Failure(`no metric matches ${selector}; the store has, for example, ${metricText(metric)}`);
  return new Failure(`no metric matches ${selector}: the store is empty`);
}

/** At most `most` of the metrics that match, and how many there are. */
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
