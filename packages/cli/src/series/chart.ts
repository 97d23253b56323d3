/** `moonpack series chart`: a chart in the terminal, or an SVG file. */
import { isatty, WriteStream } from "node:tty";
import type { Aggregate } from "@moonpack/series";
import pc from "picocolors";
import { Failure } from "../shared/failure.js";
import { Output } from "../shared/output.js";
import { outputPath, userPath } from "../shared/paths.js";
import { chartData } from "./chart-data.js";
import { noMetric, rangeOf, someMetrics, type TimeRange } from "./selection.js";
import { parseSelector } from "./selector.js";
import { type DriverName, withSeries } from "./store.js";
import { MAX_SVG_LINES, SVG_COLUMNS, svgChart } from "./svg-chart.js";
import { MARGIN, MAX_LINES, terminalChart } from "./terminal-chart.js";

/** Options of `moonpack series chart`, as the command line gives them. */
export interface ChartOptions extends TimeRange {
  readonly aggregate: Aggregate;
  readonly svg?: string;
  readonly driver?: DriverName;
}

const COLUMNS = 80;
const ROWS = 24;
/** Rows of the terminal that the chart leaves: for its heading, axis, legend and the prompt. */
const OTHER_ROWS = 7;
const MIN_HEIGHT = 6;
const GREATEST_HEIGHT = 20;
/** The narrowest chart, in columns. */
const MIN_COLUMNS = 20;
/** The widest chart: the environment variable COLUMNS may hold any number. */
const GREATEST_COLUMNS = 1000;

/** Draws the metrics that a selector selects. */
export async function chartPoints(path: string, selector: string, options: ChartOptions): Promise<void> {
  const match = parseSelector(selector);
  const range = rangeOf(options);
  const isSvg = options.svg !== undefined;
  const { columns, rows } = terminalSize();
  const most = isSvg ? MAX_SVG_LINES : MAX_LINES;
  const request = {
    range,
    aggregate: options.aggregate,
    columns: isSvg ? SVG_COLUMNS : Math.max(MIN_COLUMNS, Math.min(GREATEST_COLUMNS, Math.floor(columns)) - MARGIN),
  };
  await withSeries({ path: userPath(path), driver: options.driver }, { readOnly: true }, async (series) => {
    const { metrics, count } = await someMetrics(series, match, most);
    if (count === 0) throw await noMetric(series, selector);
    const data = await chartData(series, { ...request, metrics });
    if (data === undefined) throw new Failure(`no points of ${selector} in this time`);
    const title = `${selector}${options.aggregate === "avg" ? "" : `, ${options.aggregate}`}`;
    const height = Math.min(GREATEST_HEIGHT, Math.max(MIN_HEIGHT, rows - OTHER_ROWS - metrics.length));
    const text = isSvg
      ? svgChart(data, title)
      : terminalChart(data, title, { height, hasColours: pc.isColorSupported });
    await write(isSvg ? outputPath(options.svg!) : "-", text);
    if (count > most)
      process.stderr.write(`moonpack: the chart shows ${most} of ${count} metrics; add conditions to the selector\n`);
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

/** The size of the terminal; a common one for pipes and files. */
function terminalSize(): { readonly columns: number; readonly rows: number } {
  if (!isatty(1)) return { columns: Number(process.env.COLUMNS) || COLUMNS, rows: ROWS };
  // A worker's process.stdout does not know its size.
  const { columns, rows } = new WriteStream(1).unref();
  return { columns: columns || COLUMNS, rows: rows || ROWS };
}
