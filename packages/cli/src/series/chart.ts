/** `moonpack series chart`: a chart in the terminal, or an SVG file. */
import type { Aggregate } from "@moonpack/series";
import pc from "picocolors";
import { Failure } from "../shared/failure.js";
import { note } from "../shared/messages.js";
import { Output } from "../shared/output.js";
import { outputPath, userPath } from "../shared/paths.js";
import { chartData } from "./chart-data.js";
import { chartSize } from "./chart-size.js";
import { noMetric, rangeOf, someMetrics, type TimeRange } from "./selection.js";
import { parseSelector } from "./selector.js";
import { type DriverName, withSeries } from "./store.js";
import { MAX_SVG_LINES, SVG_COLUMNS, svgChart } from "./svg-chart.js";
import { MAX_LINES, terminalChart } from "./terminal-chart.js";

/** Options of `moonpack series chart`, as the command line gives them. */
export interface ChartOptions extends TimeRange {
  readonly aggregate: Aggregate;
  readonly svg?: string;
  readonly driver?: DriverName;
}

/** Draws the metrics that a selector selects. */
export async function chartPoints(path: string, selector: string, options: ChartOptions): Promise<void> {
  const match = parseSelector(selector);
  const range = rangeOf(options);
  const isSvg = options.svg !== undefined;
  const most = isSvg ? MAX_SVG_LINES : MAX_LINES;
  const request = {
    range,
    aggregate: options.aggregate,
    columns: isSvg ? SVG_COLUMNS : chartSize().columns,
  };
  await withSeries({ path: userPath(path), driver: options.driver }, { readOnly: true }, async (series) => {
    const { metrics, count } = await someMetrics(series, match, most);
    if (count === 0) throw await noMetric(series, selector);
    const data = await chartData(series, { ...request, metrics });
    if (data === undefined) throw new Failure(`no points of ${selector} in this time`);
    const title = `${selector}${options.aggregate === "avg" ? "" : `, ${options.aggregate}`}`;
    const { height } = chartSize(metrics.length);
    const text = isSvg
      ? svgChart(data, title)
      : terminalChart(data, title, { height, hasColours: pc.isColorSupported });
    await write(isSvg ? outputPath(options.svg!) : "-", text);
    if (count > most) note(`the chart shows ${most} of ${count} metrics; add conditions to the selector`);
  });
}

async function write(path: string, text: string): Promise<void> {
  const output = Output.open(path);
  try {
    output.writeText(text);
    await output.finish();
  } catch (error) {
    output.discard();
    throw error;
  }
}
