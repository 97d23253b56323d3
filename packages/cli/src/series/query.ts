/** `moonpack series query`: prints points or windows, as tables or as NDJSON. */
import type { Aggregate, Match, MetricHandle, Series } from "@moonpack/series";
import pc from "picocolors";
import { UsageError } from "../shared/failure.js";
import { Output } from "../shared/output.js";
import { userPath } from "../shared/paths.js";
import { printable } from "../shared/printable.js";
import { grouped, renderTable } from "../shared/table.js";
import { jsonValue, ndjsonFormatter } from "./export-formats.js";
import { metricText } from "./metric-text.js";
import { floatText } from "./numbers.js";
import { noMetric, rangeOf, type TimeRange } from "./selection.js";
import { parseSelector } from "./selector.js";
import { type DriverName, withSeries } from "./store.js";
import { isoText } from "./times.js";

/** Options of `moonpack series query`, as the command line gives them. */
export interface QueryOptions extends TimeRange {
  /** Milliseconds. */
  readonly window?: number;
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

/** Prints the points or windows of the metrics that match a selector. */
export async function queryPoints(path: string, selector: string, options: QueryOptions): Promise<void> {
  const match = parseSelector(selector);
  const range = rangeOf(options);
  checkOptions(options);
  await withSeries({ path: userPath(path), driver: options.driver }, { readOnly: true }, async (series) => {
    const output = Output.open("-");
    const print = options.json ? printJson : printTables;
    if ((await print(series, match, range, options, output)) === 0) throw await noMetric(series, selector);
    await output.finish();
  });
}

function checkOptions({ window, aggregate, reverse }: QueryOptions): void {
  if (aggregate !== undefined && window === undefined)
    throw new UsageError("--aggregate needs --window, for example --window 1m");
  if (reverse && window !== undefined) throw new UsageError("--reverse is for points: leave out --window");
}

/** The aggregates of each window; undefined for a query of points. */
function aggregatesOf({ window, aggregate = ["avg"] }: QueryOptions): readonly Aggregate[] | undefined {
  return window === undefined ? undefined : aggregate;
}

/** The rows of a metric, up to `limit`. */
async function* rowsOf(
  series: Series,
  metric: MetricHandle,
  range: TimeRange,
  options: QueryOptions,
  limit: number,
): AsyncGenerator<ResultRow> {
  const aggregate = aggregatesOf(options);
  if (aggregate === undefined) {
    const most = limit === Infinity ? {} : { limit };
    const points = series.query({ metric, ...range, ...most, reverse: options.reverse });
    for await (const { timestamp, value } of points) yield { time: timestamp, values: [value] };
    return;
  }
  let count = 0;
  for await (const row of series.query({ metric, ...range, window: options.window!, aggregate })) {
    if (count++ === limit) return;
    yield { time: row.start, values: aggregate.map((name) => row[name] ?? null) };
  }
}

/** Prints a line of JSON for each row. Returns the number of metrics. */
async function printJson(
  series: Series,
  match: Match,
  range: TimeRange,
  options: QueryOptions,
  output: Output,
): Promise<number> {
  const aggregate = aggregatesOf(options);
  const { window, limit } = options;
  if (window !== undefined && aggregate !== undefined && limit === undefined)
    return await printJsonWindows(series, { ...match, ...range, window, aggregate }, output);
  const formatter = ndjsonFormatter();
  let metrics = 0;
  for await (const metric of series.metrics(match)) {
    metrics++;
    const pointText = formatter.of(metric);
    const start = windowStart(metric);
    for await (const { time, values } of rowsOf(series, metric, range, options, limit ?? Infinity)) {
      const members = aggregate?.map((name, i) => `,"${name}":${windowValue(values[i]!)}`);
      output.writeJson(members === undefined ? pointText(time, values[0]!) : `${start}${time}${members.join("")}}\n`);
      if (output.isFull) await output.drain();
    }
  }
  return metrics;
}

/** Prints all windows, which are read in batches of many metrics. Returns the number of metrics. */
async function printJsonWindows(
  series: Series,
  selection: Match & TimeRange & { readonly window: number; readonly aggregate: readonly Aggregate[] },
  output: Output,
): Promise<number> {
  const { aggregate } = selection;
  const metrics = new Set<number>();
  for await (const batch of series.select(selection).batches()) {
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
  range: TimeRange,
  options: QueryOptions,
  output: Output,
): Promise<number> {
  const titles = aggregatesOf(options) ?? ["value"];
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
    for await (const { time, values } of rowsOf(series, metric, range, options, limit + 1)) {
      isCut = rows.length === limit;
      if (isCut) break;
      rows.push([isoText(time), ...values.map((value, i) => shown(value, isComputed[i]!))]);
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
