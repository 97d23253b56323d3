/** `moonpack series query --promql`: evaluates a query, and prints a table, a chart or NDJSON. */
import type { LabelsObject, PrometheusError, QueryAnswer, SeriesRow } from "@moonpack/prometheus";
import type { Series } from "@moonpack/series";
import pc from "picocolors";
import { chartSize } from "../series/chart-size.js";
import { jsonValue } from "../series/export-formats.js";
import { floatText } from "../series/numbers.js";
import { PointedError } from "../series/pointed-error.js";
import { type DriverName, withSeries } from "../series/store.js";
import { isoText } from "../series/times.js";
import { type GivenRange, utcRange } from "../series/zoned-times.js";
import { Failure, UsageError } from "../shared/failure.js";
import { note } from "../shared/messages.js";
import { Output } from "../shared/output.js";
import { userPath } from "../shared/paths.js";
import { printable } from "../shared/printable.js";
import { grouped, renderTable } from "../shared/table.js";
import { type ChartSteps, resultChart } from "./result-chart.js";
import { seriesText } from "./series-text.js";

/** Options of `moonpack series query --promql`, as the command line gives them. */
export interface PromqlOptions extends GivenRange {
  /** Milliseconds. */
  readonly step?: number;
  readonly chart: boolean;
  readonly json: boolean;
  readonly driver?: DriverName;
}

/** The most rows in all tables together. */
const SHOWN_ROWS = 1000;
/** Steps of a range without `--step`. */
const STEPS = 60;
/** The most metrics that are looked at for the newest time of a store. */
const LOOKED_AT = 1000;
/** The age at which a point is not the value of a series any more, in milliseconds. */
const LOOKBACK = 300_000;
/** The shortest step that is chosen, in milliseconds. */
const LEAST_STEP = 1000;

/** Evaluates a query over a store: at one time, or with `from` at the steps of a range. */
export async function queryPromql(path: string, text: string, options: PromqlOptions): Promise<void> {
  const { from, to = Date.now() } = utcRange(options);
  checkOptions(options, from);
  const { createPrometheus, parseQuery, PrometheusError: QueryError } = await import("@moonpack/prometheus");
  try {
    parseQuery(text);
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    throw new PointedError(plainText(error.message), text, offsetOf(text, error));
  }
  await withSeries({ path: userPath(path), driver: options.driver }, { readOnly: true }, async (series: Series) => {
    const prom = createPrometheus(series);
    const steps = stepsOf(from ?? to, to, options);
    const answer = await (from === undefined
      ? prom.query(text, { time: to })
      : prom.queryRange(text, { start: steps.from, end: steps.to, step: steps.step })
    ).catch((error: unknown) => {
      throw error instanceof QueryError ? new Failure(`${error.code}: ${error.message}`) : error;
    });
    const output = Output.open("-");
    if (options.json) await printJson(answer, to, output);
    else if (options.chart) output.writeText(resultChart(answer, text, steps) ?? (await fail(series, steps)));
    else printTables(answer, output);
    await output.finish();
    if (Array.isArray(answer.result) && answer.result.length === 0 && !options.json) {
      const newest = await newestHint(series, steps);
      if (newest !== "") note(newest);
    }
    for (const text of [...answer.warnings, ...answer.infos]) note(text);
  });
}

/**
 * The steps of a query. Without `--step` they reach the end of the range, or pass it by less than a tenth of a second: points that were
 * written a moment ago have a step. A chart has a step for each column.
 */
function stepsOf(from: number, to: number, { step: given, chart }: PromqlOptions): ChartSteps {
  if (given !== undefined) return { from, to, step: given };
  const length = to - from;
  const step = Math.max(1, Math.ceil(length / (chart ? chartSize().columns - 1 : STEPS)));
  if (!chart && step < LEAST_STEP) return { from, to, step: LEAST_STEP };
  return { from, to: from + Math.ceil(length / step) * step, step };
}

async function fail(series: Series, steps: ChartSteps): Promise<never> {
  const newest = await newestHint(series, steps);
  const range = `from ${isoText(steps.from)} to ${isoText(steps.to)}`;
  throw new Failure(`the query has no values ${range}${newest === "" ? "" : `; ${newest}`}`);
}

/** The newest time of a store, and a range up to it, if the range of a query is after it; else an empty text. */
async function newestHint(series: Series, { from, to }: ChartSteps): Promise<string> {
  let newest = -1;
  let looked = 0;
  for await (const metric of series.metrics()) {
    newest = Math.max(newest, (await series.last(metric))?.timestamp ?? -1);
    if (++looked === LOOKED_AT) break;
  }
  if (newest < 0 || newest >= Math.min(from, to - LOOKBACK)) return "";
  const start = isoText(newest - (to - from));
  return `the newest points of the store are of ${isoText(newest)}: ${to > from ? `--from ${start} ` : ""}--to ${isoText(newest)}`;
}

function checkOptions({ step, chart, json }: PromqlOptions, from: number | undefined): void {
  if (chart && json) throw new UsageError("--chart and --json exclude each other");
  if (chart && step !== undefined) throw new UsageError("--chart chooses the step: leave out --step");
  if (from === undefined && (chart || step !== undefined))
    throw new UsageError(`${chart ? "--chart" : "--step"} needs --from, for example --from -1h`);
}

/** The message of an error without the place before it. */
function plainText(message: string): string {
  return message.replace(/^\d+:\d+: (?:parse error: )?/, "");
}

/** The index of the place of an error in the text. */
function offsetOf(text: string, { line = 1, column = 1 }: PrometheusError): number {
  const before = text.split("\n").slice(0, line - 1);
  return Math.min(text.length, before.reduce((length, one) => length + one.length + 1, 0) + column - 1);
}

/** A series of an answer, with its times and values. */
interface AnswerRow {
  readonly labels: LabelsObject;
  readonly times: ArrayLike<number>;
  readonly values: ArrayLike<number>;
}

function rowsOf({ resultType, result }: QueryAnswer, time: number): readonly AnswerRow[] {
  if (resultType === "matrix") return result as readonly SeriesRow[];
  if (resultType === "vector")
    return result.map(({ labels, time: at, value }) => ({ labels, times: [at], values: [value] }));
  return resultType === "scalar" ? [{ labels: {}, times: [time], values: [result] }] : [];
}

/** Prints a line for each value. */
async function printJson(answer: QueryAnswer, time: number, output: Output): Promise<void> {
  if (answer.resultType === "string") output.writeJson(`{"time":${time},"value":${JSON.stringify(answer.result)}}\n`);
  for (const { labels, times, values } of rowsOf(answer, time)) {
    const start = `{"labels":${JSON.stringify(labels)},"time":`;
    for (let i = 0; i < values.length; i++) {
      output.writeJson(`${start}${times[i]!},"value":${jsonValue(values[i]!)}}\n`);
      if (output.isFull) await output.drain();
    }
  }
}

function printTables(answer: QueryAnswer, output: Output): void {
  const { resultType, result } = answer;
  if (resultType === "string") return output.writeText(`${printable(result)}\n`);
  if (resultType === "scalar") return output.writeText(`${floatText(result)}\n`);
  if (result.length === 0) return output.writeText(pc.dim("no series\n"));
  if (resultType === "vector") {
    const columns = [{ title: "series" }, { title: "value", numeric: true }];
    const rows = result.slice(0, SHOWN_ROWS).map(({ labels, value }) => [seriesText(labels), floatText(value)]);
    output.writeText(`${renderTable(columns, rows)}\n`);
    if (result.length > SHOWN_ROWS) writeCut(output);
    return;
  }
  printMatrix(result, output);
}

function printMatrix(series: readonly SeriesRow[], output: Output): void {
  const columns = [{ title: "time" }, { title: "value", numeric: true }];
  let left = SHOWN_ROWS;
  for (const [i, { labels, times, values }] of series.entries()) {
    const shown = Math.min(left, values.length);
    const rows = Array.from({ length: shown }, (_, at) => [isoText(times[at]!), floatText(values[at]!)]);
    output.writeText(
      `${i === 0 ? "" : "\n"}${pc.bold(printable(seriesText(labels)))}\n${renderTable(columns, rows)}\n`,
    );
    left -= shown;
    if (shown < values.length || (left === 0 && i < series.length - 1)) return writeCut(output);
  }
}

function writeCut(output: Output): void {
  output.writeText(pc.dim(`.. stopped after ${grouped(SHOWN_ROWS)} rows; use --json for all\n`));
}
