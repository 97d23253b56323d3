/** `moonpack series query`: prints points or windows, as tables or as NDJSON. */
import type { Aggregate, Fill, Match, MetricHandle, Series, WindowLength, WindowQuery } from "@moonpack/series";
import { MoonpackError } from "moonpack/bytes";
import pc from "picocolors";
import { UsageError } from "../shared/failure.js";
import { Output } from "../shared/output.js";
import { userPath } from "../shared/paths.js";
import { printable } from "../shared/printable.js";
import { grouped, renderTable } from "../shared/table.js";
import { jsonValue, ndjsonFormatter } from "./export-formats.js";
import { metricText } from "./metric-text.js";
import { floatText } from "./numbers.js";
import { noMetric } from "./selection.js";
import { parseSelector } from "./selector.js";
import { type DriverName, withSeries } from "./store.js";
import { isoText } from "./times.js";
import { type GivenRange, utcRange, zonedText } from "./zoned-times.js";

/** Options of `moonpack series query`, as the command line gives them. */
export interface QueryOptions extends GivenRange {
  readonly window?: Extract<WindowLength, string>;
  readonly timeZone?: string;
  readonly fill?: Fill;
  readonly aggregate?: readonly Aggregate[];
  readonly limit?: number;
  readonly reverse: boolean;
  readonly json: boolean;
  readonly driver?: DriverName;
}

/** The most rows in all tables together: a table is held in memory. */
const SHOWN_ROWS = 1000;
/** Significant digits of computed values in tables. */
const DIGITS = 9;

/** A row of a table or a line of JSON: a time, and the values. */
interface ResultRow {
  readonly time: number;
  readonly values: readonly (number | bigint | null)[];
}

/** A query without its metric. */
type Rows = Partial<Omit<WindowQuery, "metric">>;

/** Prints the points or windows of the metrics that match a selector. */
export async function queryPoints(path: string, selector: string, options: QueryOptions): Promise<void> {
  const match = parseSelector(selector);
  checkOptions(options);
  const rows = rowsOf(options);
  await withSeries({ path: userPath(path), driver: options.driver }, { readOnly: true }, async (series) => {
    checkRows(series, rows);
    const output = Output.open("-");
    const print = options.json ? printJson : printTables;
    if ((await print(series, match, rows, options, output)) === 0) throw await noMetric(series, selector);
    await output.finish();
  });
}

function checkOptions({ window, timeZone, ...others }: QueryOptions): void {
  if (window === undefined) {
    if (others.aggregate !== undefined) throw new UsageError("--aggregate needs --window, for example --window 1m");
    if (others.fill !== undefined) throw new UsageError("--fill needs --window, for example --window 1m");
    if (timeZone !== undefined) throw new UsageError("--time-zone needs --window, for example --window 1d");
  } else if (timeZone === undefined && /mo|y/.test(window))
    throw new UsageError(`--window ${window} needs --time-zone, for example --time-zone UTC`);
}

/** The query of each metric. */
function rowsOf(options: QueryOptions): Rows {
  const { window, timeZone, fill, aggregate = ["avg"], limit, reverse, from, to } = options;
  return {
    // The store reads times without a zone in the zone of the windows.
    ...(timeZone === undefined
      ? utcRange(options)
      : { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }),
    ...(limit !== undefined && { limit }),
    ...(reverse && { reverse }),
    ...(window !== undefined && { window, aggregate }),
    ...(timeZone !== undefined && { timeZone }),
    ...(fill !== undefined && { fill }),
  };
}

/** Throws a UsageError for options that the store refuses. */
function checkRows(series: Series, rows: Rows): void {
  try {
    series.select({ ...rows, metrics: [] });
  } catch (error) {
    if (error instanceof MoonpackError && error.code === "ERR_INVALID_ARGUMENT") throw new UsageError(error.message);
    throw error;
  }
}

/** Reads the rows of a metric. */
async function* readRows(series: Series, metric: MetricHandle, rows: Rows): AsyncGenerator<ResultRow> {
  const { window, aggregate } = rows;
  if (window === undefined || aggregate === undefined) {
    const { from, to, limit, reverse } = rows;
    const range = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
    const order = { ...(limit !== undefined && { limit }), ...(reverse !== undefined && { reverse }) };
    for await (const { timestamp, value } of series.query({ metric, ...range, ...order }))
      yield { time: timestamp, values: [value] };
    return;
  }
  for await (const row of series.query({ ...rows, metric, window, aggregate }))
    yield { time: row.start, values: aggregate.map((name) => row[name] ?? null) };
}

/** Prints a line of JSON for each row. Returns the number of metrics. */
async function printJson(
  series: Series,
  match: Match,
  rows: Rows,
  _options: QueryOptions,
  output: Output,
): Promise<number> {
  if (rows.window !== undefined) return await printJsonWindows(series, match, rows, output);
  const formatter = ndjsonFormatter();
  let metrics = 0;
  for await (const metric of series.metrics(match)) {
    metrics++;
    const pointText = formatter.of(metric);
    for await (const { time, values } of readRows(series, metric, rows)) {
      output.writeJson(pointText(time, values[0]!));
      if (output.isFull) await output.drain();
    }
  }
  return metrics;
}

/** Prints all windows, which are read in batches of many metrics. Returns the number of metrics. */
async function printJsonWindows(series: Series, match: Match, rows: Rows, output: Output): Promise<number> {
  const { window, aggregate } = rows as WindowQuery;
  const metrics = new Set<number>();
  for await (const batch of series.select({ ...match, ...rows, window, aggregate }).batches()) {
    const { offsets, starts, columns, nulls } = batch;
    for (let m = 0; m < batch.metrics.length; m++) {
      const metric = batch.metrics[m]!;
      metrics.add(metric.id);
      const start = windowStart(metric);
      for (let i = offsets[m]!; i < offsets[m + 1]!; i++) {
        const members = aggregate.map((name) => {
          const isNull = (nulls[name]![i >> 3]! & (1 << (i & 7))) !== 0;
          return `,"${name}":${windowValue(isNull ? null : columns[name]![i]!)}`;
        });
        output.writeJson(`${start}${starts[i]!}${members.join("")}}\n`);
        if (output.isFull) await output.drain();
      }
    }
  }
  return metrics.size;
}

/** The start of the lines of a metric's windows. */
function windowStart({ name, tags }: MetricHandle): string {
  return `${JSON.stringify({ name, tags }).slice(0, -1)},"start":`;
}

function windowValue(value: number | bigint | null): string {
  return value === null ? "null" : jsonValue(value);
}

/** Prints a table for each metric. Returns the number of metrics. */
async function printTables(
  series: Series,
  match: Match,
  query: Rows,
  options: QueryOptions,
  output: Output,
): Promise<number> {
  const titles = query.aggregate ?? ["value"];
  const timeText = options.timeZone === undefined ? isoText : zonedText(options.timeZone);
  const columns = [
    { title: options.window === undefined ? "time" : "start" },
    ...titles.map((title) => ({ title, numeric: true })),
  ];
  const isComputed = titles.map((title) => !EXACT.has(title));
  let metrics = 0;
  let left = SHOWN_ROWS;
  for await (const metric of series.metrics(match)) {
    const isFirst = metrics++ === 0;
    const limit = Math.min(options.limit ?? Infinity, left);
    const rows: string[][] = [];
    let isCut = false;
    for await (const { time, values } of readRows(series, metric, { ...query, limit: limit + 1 })) {
      isCut = rows.length === limit;
      if (isCut) break;
      rows.push([timeText(time), ...values.map((value, i) => shown(value, isComputed[i]!))]);
    }
    // Without rows because of the limit: an empty table would look like a metric without points.
    if (!isCut || rows.length > 0) {
      output.writeText(`${isFirst ? "" : "\n"}${pc.bold(printable(metricText(metric)))}\n`);
      output.writeText(rows.length === 0 ? pc.dim("no points\n") : `${renderTable(columns, rows)}\n`);
    }
    left -= rows.length;
    if (isCut && left === 0) {
      const all = "use --limit N for fewer of each metric, or --json for all";
      output.writeText(pc.dim(`.. stopped after ${grouped(SHOWN_ROWS)} rows; ${all}\n`));
      break;
    }
    if (isCut) output.writeText(pc.dim(`.. stopped by --limit ${limit}\n`));
    await output.flush();
  }
  return metrics;
}

/** Columns with values of points, which are shown exactly. */
const EXACT: ReadonlySet<string> = new Set(["value", "min", "max", "first", "last", "count"]);

function shown(value: number | bigint | null, isComputed: boolean): string {
  if (value === null) return "";
  if (typeof value === "bigint") return String(value);
  return floatText(isComputed && Number.isFinite(value) ? Number(value.toPrecision(DIGITS)) : value);
}
