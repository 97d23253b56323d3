/**
 * InfluxDB's annotated CSV: tables of metrics with the same columns. The metric `a.b` is the field b of the measurement a, as in line
 * protocol; any other name is written as a column `__name__`.
 */
import type { MetricHandle } from "@moonpack/series";
import { MoonpackError } from "moonpack/bytes";
import { SPECIAL_COLUMNS } from "./annotated-csv.js";
import type { BatchFormatter } from "./export-formats.js";
import { metricText, NAME_TAG } from "./metric-text.js";
import { floatText } from "./numbers.js";
import { isoText } from "./times.js";

/** The columns of each table before the columns of tags: title, type, and whether all rows of a metric have the same value. */
const COLUMNS: readonly (readonly [title: string, type: string, isGroup: boolean])[] = [
  ["result", "string", false],
  ["table", "long", false],
  ["_time", "dateTime:RFC3339", false],
  ["_value", "double", false],
  ["_field", "string", true],
  ["_measurement", "string", true],
];
const LINE_END = "\r\n";

/** Returns a formatter. Metrics with the same tags and type share the rows of annotations. */
export async function annotatedCsvFormatter(): Promise<BatchFormatter> {
  const { stringify } = await import("csv-stringify/sync");
  const row = (cells: readonly string[]): string => stringify([[...cells]], { record_delimiter: "" });
  let columns = "";
  let table = 0;
  return {
    head: "",
    // Without any point, the header of a table: import reads no empty file.
    get foot() {
      return table === 0 ? headOf(row, "float", []) : "";
    },
    batchesOf(metric) {
      const { type } = metric;
      const tags = tagsOf(metric);
      const head = headOf(row, type, Object.keys(tags));
      const { measurement, field } = fieldOf(metric.name) ?? { measurement: metric.name, field: "value" };
      const end = row([field, measurement, ...Object.values(tags)]);
      let start: string | undefined;
      return ({ length, timestamps, values }) => {
        let text = "";
        if (start === undefined && length > 0) {
          if (head !== columns) text = `${table === 0 ? "" : LINE_END}${head}`;
          columns = head;
          start = `,,${table++},`;
        }
        for (let i = 0; i < length; i++)
          text += `${start}${isoText(timestamps[i]!)},${valueText(values[i]!)},${end}${LINE_END}`;
        return text;
      };
    },
  };
}

/** The measurement and the field of a name such as `cpu.load`; undefined for others. */
function fieldOf(name: string): { readonly measurement: string; readonly field: string } | undefined {
  const dot = name.lastIndexOf(".");
  if (dot <= 0 || dot === name.length - 1) return undefined;
  return { measurement: name.slice(0, dot), field: name.slice(dot + 1) };
}

/** The tags of a metric as columns. Throws a MoonpackError for one that would be another column. */
function tagsOf(metric: MetricHandle): Record<string, string> {
  const tags = Object.entries(metric.tags).filter(([, value]) => value !== "");
  const keys = new Set(tags.map(([key]) => key));
  for (const key of keys)
    if (key === NAME_TAG || SPECIAL_COLUMNS.has(key)) throw cannotHold(metric, `a tag ${JSON.stringify(key)}`);
  // A table with both columns is the error of a query.
  if (keys.has("error") && keys.has("reference")) throw cannotHold(metric, "the tags error and reference");
  if (fieldOf(metric.name) === undefined) tags.unshift([NAME_TAG, metric.name]);
  return Object.fromEntries(tags);
}

/** The annotations and the header of a table. */
function headOf(row: (cells: readonly string[]) => string, type: "float" | "int64", tags: readonly string[]): string {
  const columns = [...COLUMNS, ...tags.map((tag) => [tag, "string", true] as const)];
  const types = columns.map(([title, own]) => (title === "_value" && type === "int64" ? "long" : own));
  const rows = [
    ["#datatype", ...types],
    ["#group", ...columns.map(([, , isGroup]) => String(isGroup))],
    ["#default", "_result", ...columns.slice(1).map(() => "")],
    ["", ...columns.map(([title]) => title)],
  ];
  return rows.map((cells) => row(cells) + LINE_END).join("");
}

/** The text of a value. InfluxDB writes infinities as Go does: `+Inf` and `-Inf`. */
function valueText(value: number | bigint): string {
  if (value === Infinity || value === -Infinity) return value > 0 ? "+Inf" : "-Inf";
  return typeof value === "bigint" ? String(value) : floatText(value);
}

function cannotHold(metric: MetricHandle, what: string): MoonpackError {
  const text = `annotated CSV cannot hold ${metricText(metric)}, which has ${what}; use ndjson or csv`;
  return new MoonpackError("ERR_UNSUPPORTED_TYPE", text);
}
