/** Text formats for points. Import reads them back as the same metrics, times and values. */
import type { MetricHandle } from "@moonpack/series";
import { MoonpackError } from "moonpack/bytes";
import { CSV_COLUMNS, TAG_PREFIX } from "./csv-columns.js";
import { metricText, NAME_TAG } from "./metric-text.js";
import { floatText } from "./numbers.js";

/** Writes a point as a line, with its line break. */
export type PointText = (timestamp: number, value: number | bigint) => string;

/** Formats the points of metrics. The text that all points of a metric share is built once. */
export interface PointFormatter {
  /** The text before all points. */
  readonly head: string;
  /** The text after all points. */
  readonly foot: string;
  /** The writer of a metric's points. Throws a MoonpackError for a metric that the format cannot hold. */
  of(metric: MetricHandle): PointText;
}

/** Points of one metric: the first `length` items of the arrays. */
export interface PointBatch {
  readonly length: number;
  readonly timestamps: ArrayLike<number>;
  readonly values: ArrayLike<number | bigint>;
}

/** Formats the points of metrics in batches, for formats whose lines have several points. */
export interface BatchFormatter {
  readonly head: string;
  readonly foot: string;
  batchesOf(metric: MetricHandle): (batch: PointBatch) => string;
}

/** Returns a formatter of batches. */
export function inBatches(formatter: PointFormatter): BatchFormatter {
  return {
    ...formatter,
    batchesOf(metric) {
      const text = formatter.of(metric);
      return ({ length, timestamps, values }) => {
        let lines = "";
        for (let i = 0; i < length; i++) lines += text(timestamps[i]!, values[i]!);
        return lines;
      };
    },
  };
}

/** NDJSON. An int64 is a string: import restores its type, and readers do not round it. NaN and infinities are strings too. */
export function ndjsonFormatter(): PointFormatter {
  return {
    head: "",
    foot: "",
    of({ name, tags }) {
      const start = `{"name":${JSON.stringify(name)},"tags":${JSON.stringify(tags)},"timestamp":`;
      return (timestamp, value) => `${start}${timestamp},"value":${jsonValue(value)}}\n`;
    },
  };
}

/** A value in NDJSON. */
export function jsonValue(value: number | bigint): string {
  return typeof value === "number" && Number.isFinite(value) ? floatText(value) : `"${value}"`;
}

/** CSV with the columns name, one per tag key, type (only if there are int64 metrics), timestamp and value. */
export async function csvFormatter(metrics: AsyncIterable<MetricHandle>): Promise<PointFormatter> {
  const { stringify } = await import("csv-stringify/sync");
  const keys = new Set<string>();
  let hasInt64 = false;
  for await (const { tags, type } of metrics) {
    for (const key of Object.keys(tags)) keys.add(key);
    hasInt64 ||= type === "int64";
  }
  const sorted = [...keys].sort();
  const row = (cells: readonly string[]) => stringify([[...cells]], { record_delimiter: "" });
  const type = hasInt64 ? ["type"] : [];
  return {
    head: `${row(["name", ...sorted.map(columnOf), ...type, "timestamp", "value"])}\n`,
    foot: "",
    of({ name, tags, type }) {
      const start = row([name, ...sorted.map((key) => tagOf(tags, key)), ...(hasInt64 ? [type] : [])]);
      return (timestamp, value) => `${start},${timestamp},${typeof value === "bigint" ? value : floatText(value)}\n`;
    },
  };
}

/** The title of a tag's column. A name that import would trim, or would not read as a tag, gets a prefix. */
function columnOf(key: string): string {
  const isPlain = !CSV_COLUMNS.has(key.toLowerCase()) && !key.startsWith(TAG_PREFIX) && key.trim() === key;
  return isPlain ? key : TAG_PREFIX + key;
}

function tagOf(tags: Readonly<Record<string, string>>, key: string): string {
  return Object.hasOwn(tags, key) ? tags[key]! : "";
}

/** InfluxDB's line protocol, in nanoseconds. `a.b` is the field b of the measurement a; any other name is written as a tag. */
export function lineFormatter(): PointFormatter {
  return {
    head: "",
    foot: "",
    of(metric) {
      const start = lineStart(metric);
      return (timestamp, value) => {
        if (timestamp > LAST_LINE_TIME) throw notInLines(metric, "a time after 2262-04-11");
        return `${start}${lineValue(value)} ${timestamp === 0 ? "0" : `${timestamp}000000`}\n`;
      };
    },
  };
}

/** The last millisecond whose nanoseconds are an int64. */
const LAST_LINE_TIME = 9_223_372_036_854;

function lineValue(value: number | bigint): string {
  return typeof value === "bigint" ? `${value}i` : floatText(value);
}

/** Everything up to the value. */
function lineStart(metric: MetricHandle): string {
  const { name, tags } = metric;
  const dot = name.lastIndexOf(".");
  const isField = dot > 0 && dot < name.length - 1 && isMeasurement(name.slice(0, dot)) && !endsInBackslash(name);
  const pairs = Object.entries(tags).filter(([, value]) => value !== "");
  if (pairs.some(([key]) => key === NAME_TAG)) throw notInLines(metric, `a tag ${NAME_TAG}`);
  if (pairs.some((pair) => pair.some(endsInBackslash)) || (!isField && endsInBackslash(name)))
    throw notInLines(metric, "a backslash at the end of a tag or name");
  if (!isField) pairs.unshift([NAME_TAG, name]);
  const measurement = isField ? name.slice(0, dot) : isMeasurement(name) ? name : "metric";
  const source = escaped(measurement, /[, ]/g) + pairs.map((pair) => `,${pair.map(escapedTag).join("=")}`).join("");
  return `${source} ${isField ? escapedTag(name.slice(dot + 1)) : "value"}=`;
}

/** True for a name that can start a line: `#` would start a comment, and leading blanks would be ignored. */
function isMeasurement(name: string): boolean {
  return !name.startsWith("#") && name.trim() === name && !endsInBackslash(name);
}

function endsInBackslash(text: string): boolean {
  return text.endsWith("\\");
}

function escapedTag(text: string): string {
  return escaped(text, /[,= ]/g);
}

function escaped(text: string, special: RegExp): string {
  return text.replace(special, "\\$&");
}

function notInLines(metric: MetricHandle, what: string): MoonpackError {
  return new MoonpackError(
    "ERR_UNSUPPORTED_TYPE",
    `line protocol cannot hold ${metricText(metric)}, which has ${what}; use ndjson or csv`,
  );
}
