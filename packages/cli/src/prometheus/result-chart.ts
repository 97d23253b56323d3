/** Charts of the results of queries. */
import type { QueryAnswer } from "@moonpack/prometheus";
import pc from "picocolors";
import type { ChartLine } from "../series/chart-data.js";
import { chartSize } from "../series/chart-size.js";
import { MAX_LINES, terminalChart } from "../series/terminal-chart.js";
import { Failure } from "../shared/failure.js";
import { note } from "../shared/messages.js";
import { seriesText } from "./series-text.js";

/** The steps of a query, in milliseconds. */
export interface ChartSteps {
  readonly from: number;
  readonly to: number;
  readonly step: number;
}

/** Larger values are drawn at this one: the arithmetic of an axis overflows above it. */
const LIMIT = 1e300;

/** Returns the chart of a range query: a column for each step; undefined if there is nothing to draw. */
export function resultChart(
  { resultType, result }: QueryAnswer,
  title: string,
  { from, to, step }: ChartSteps,
): string | undefined {
  if (resultType !== "matrix") throw new Failure(`a chart needs series, not a ${resultType}`);
  const columns = Math.floor((to - from) / step) + 1;
  let least = Infinity;
  let greatest = -Infinity;
  const lines = result.slice(0, MAX_LINES).map(({ labels, times, values }): ChartLine => {
    const drawn = new Float64Array(columns).fill(NaN);
    for (let i = 0; i < values.length; i++) {
      // An infinite value cannot be drawn: it becomes a gap.
      if (!Number.isFinite(values[i]!)) continue;
      const value = Math.max(-LIMIT, Math.min(LIMIT, values[i]!));
      drawn[Math.round((times[i]! - from) / step)] = value;
      least = Math.min(least, value);
      greatest = Math.max(greatest, value);
    }
    return { label: seriesText(labels), values: drawn };
  });
  if (least > greatest) return undefined;
  if (result.length > MAX_LINES) note(`the chart shows ${MAX_LINES} of ${result.length} series`);
  const { height } = chartSize(lines.length);
  const data = { from, to: from + columns * step, step, lines, least, greatest };
  return terminalChart(data, title, { height, hasColours: pc.isColorSupported });
}
