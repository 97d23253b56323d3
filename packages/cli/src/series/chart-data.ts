/** The data of a chart: one value per metric and column. A column without points has no value. */
import type { Aggregate, MetricHandle, Series } from "@moonpack/series";
import { metricText } from "./metric-text.js";
import type { TimeRange } from "./selection.js";

/** A line of a chart. */
export interface ChartLine {
  readonly label: string;
  /** One value per column; NaN for a column without a value. */
  readonly values: Float64Array;
}

/** All lines of a chart, over one time range. */
export interface ChartData {
  readonly from: number;
  readonly to: number;
  /** The time that a column stands for, in milliseconds. */
  readonly step: number;
  readonly lines: readonly ChartLine[];
  /** The least and the greatest value. */
  readonly least: number;
  readonly greatest: number;
}

/** The query of a chart: metrics, time range and number of columns. */
export interface ChartRequest {
  readonly metrics: readonly MetricHandle[];
  readonly range: TimeRange;
  readonly aggregate: Aggregate;
  /** Columns of the picture. */
  readonly columns: number;
}

/** Larger values are drawn at this one: the arithmetic of an axis overflows above it. */
const LIMIT = 1e300;

/** Reads the values of a chart. Returns undefined if no metric has a finite value in the time range. */
export async function chartData(series: Series, request: ChartRequest): Promise<ChartData | undefined> {
  const range = await settledRange(series, request.metrics, request.range);
  if (range === undefined) return undefined;
  const { from, to } = range;
  const step = Math.max(1, Math.ceil((to - from) / request.columns));
  const columns = Math.ceil((to - from) / step);
  const lines: ChartLine[] = [];
  let least = Infinity;
  let greatest = -Infinity;
  for (const metric of request.metrics) {
    const values = new Float64Array(columns).fill(NaN);
    const windows = series.query({ metric, from, to, window: step, origin: from, aggregate: [request.aggregate] });
    for await (const row of windows) {
      const value = Number(row[request.aggregate] ?? NaN);
      // An infinite value cannot be drawn: it becomes a gap.
      if (!Number.isFinite(value)) continue;
      const shown = Math.max(-LIMIT, Math.min(LIMIT, value));
      values[Math.round((row.start - from) / step)] = shown;
      least = Math.min(least, shown);
      greatest = Math.max(greatest, shown);
    }
    lines.push({ label: metricText(metric), values });
  }
  return least > greatest ? undefined : { from, to, step, lines, least, greatest };
}

/** The range of values; a flat line gets room above and below. */
export function roomy({ least, greatest }: ChartData): [number, number] {
  if (least < greatest) return [least, greatest];
  const room = Math.abs(least) / 10 || 1;
  return [least - room, greatest + room];
}

/** The time range of the options. A missing bound is replaced by the first or last time of the data. */
async function settledRange(
  series: Series,
  metrics: readonly MetricHandle[],
  { from, to }: TimeRange,
): Promise<{ readonly from: number; readonly to: number } | undefined> {
  let first = from ?? Infinity;
  let end = to ?? -Infinity;
  for (const metric of metrics) {
    if (from === undefined)
      for await (const { timestamp } of series.query({ metric, limit: 1 })) first = Math.min(first, timestamp);
    if (to === undefined) end = Math.max(end, ((await series.last(metric))?.timestamp ?? -Infinity) + 1);
  }
  return first < end ? { from: first, to: end } : undefined;
}

/** Gaps of up to this many times the usual distance are bridged by a line, for points that are rarer than columns. */
const USUAL_GAP = 3;

/** The most empty columns between two values that still belong together. */
export function widestGap(values: Float64Array): number {
  const distances: number[] = [];
  let last = -1;
  for (let i = 0; i < values.length; i++) {
    if (Number.isNaN(values[i]!)) continue;
    if (last >= 0) distances.push(i - last);
    last = i;
  }
  distances.sort((a, b) => a - b);
  return (distances[distances.length >> 1] ?? 1) * USUAL_GAP;
}

/** The same values with straight lines through small gaps. */
export function connected(values: Float64Array): Float64Array {
  const widest = widestGap(values);
  const filled = values.slice();
  let last = -1;
  for (let i = 0; i < values.length; i++) {
    if (Number.isNaN(values[i]!)) continue;
    if (last >= 0 && i - last <= widest) {
      const slope = (values[i]! - values[last]!) / (i - last);
      for (let between = last + 1; between < i; between++) filled[between] = values[last]! + slope * (between - last);
    }
    last = i;
  }
  return filled;
}

/** Runs of values without a gap: indices and values of each. */
export function runsOf(values: Float64Array): [number, number][][] {
  const widest = widestGap(values);
  const runs: [number, number][][] = [];
  let last = -Infinity;
  for (const [i, value] of values.entries()) {
    if (Number.isNaN(value)) continue;
    if (i - last <= widest) runs.at(-1)!.push([i, value]);
    else runs.push([[i, value]]);
    last = i;
  }
  return runs;
}
