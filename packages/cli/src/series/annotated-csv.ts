/**
 * InfluxDB's annotated CSV, the answer of a query in Flux: rows `#group`, `#datatype` and `#default` before the header of each table. The
 * field `_field` of `_measurement` is the metric `measurement.field`, as in line protocol; so is a column of values in a pivoted table.
 */
import { recordOf } from "moonpack/bytes";
import type { ImportedMetric } from "./imported-metrics.js";
import { NAME_TAG } from "./metric-text.js";
import { floatOf, int64Of } from "./numbers.js";
import { quoted, RecordError } from "./record-error.js";
import type { ParserOptions, Skipped } from "./record-parser.js";
import { checkedTime, timestampOf } from "./times.js";

const ANNOTATIONS = ["#group", "#datatype", "#default"] as const;
/** Columns that describe the query. They are not tags. */
const OF_QUERY = new Set(["", "result", "table", "_start", "_stop"]);
/** Columns that are not tags. */
export const SPECIAL_COLUMNS: ReadonlySet<string> = new Set([...OF_QUERY, "_time", "_value", "_field", "_measurement"]);
const NUMBERS = new Set(["double", "long", "unsignedLong", "boolean"]);
const INTEGERS = new Set(["long", "unsignedLong"]);
const TEXTS = new Set(["string", "duration", "base64Binary"]);

/** A column of a table. */
interface Column {
  readonly title: string;
  readonly index: number;
  readonly type: string;
  readonly isGroup: boolean;
  /** The text of empty cells. */
  readonly standard: string;
}

/** The columns of a table. */
interface Table {
  readonly count: number;
  readonly time: Column;
  readonly measurement: Column | undefined;
  readonly field: Column | undefined;
  readonly values: readonly Column[];
  readonly tags: readonly Column[];
}

/** True for a row that only annotated CSV has. */
export function isAnnotation(cells: readonly string[]): boolean {
  return (ANNOTATIONS as readonly string[]).includes(cells[0]!);
}

/** Parses the rows of annotated CSV. */
export class AnnotatedCsvParser {
  readonly #options: ParserOptions;
  readonly #annotations = new Map<string, readonly string[]>();
  readonly #columns = new Set<string>();
  #table: Table | undefined;
  #tables = 0;
  #strings = 0;
  #emptyCells = 0;

  constructor(options: ParserOptions) {
    this.#options = options;
  }

  /** Parts that were skipped without an error. */
  get skipped(): Skipped {
    return { strings: this.#strings, emptyCells: this.#emptyCells, columns: this.#columns };
  }

  /** True before the header of a table. */
  get needsHeader(): boolean {
    return this.#table === undefined;
  }

  /** Adds the points of a row to the writer. Throws a RecordError. */
  parse(cells: readonly string[]): void {
    if (isAnnotation(cells)) {
      if (this.#table !== undefined) this.#annotations.clear();
      this.#table = undefined;
      this.#annotations.set(cells[0]!, cells);
    } else if (this.#table === undefined) this.#table = this.#tableOf(cells);
    else this.#row(cells, this.#table);
  }

  #tableOf(titles: readonly string[]): Table {
    const [groups, types, standards] = ANNOTATIONS.map((name) => this.#annotations.get(name));
    for (const row of [groups, types, standards])
      if (row !== undefined && row.length !== titles.length)
        throw new RecordError("ERR_TRUNCATED", `${row[0]} has ${row.length} of ${titles.length} cells`);
    if (types === undefined) throw new RecordError("ERR_TRUNCATED", "a table has no row #datatype");
    if (titles.includes("error") && titles.includes("reference")) return this.#failed(titles);
    const columns = titles.map((title, index) => {
      const isGroup = groups === undefined ? types[index] === "string" : groups[index] === "true";
      return { title, index, type: types[index]!, isGroup, standard: standards?.[index] ?? "" };
    });
    const named = (title: string) => columns.find((column) => column.title === title);
    const time = named("_time");
    if (time === undefined)
      throw new RecordError("ERR_TRUNCATED", `a table has no column _time: ${titles.map(quoted).join(", ")}`);
    const value = named("_value");
    const others = columns.filter(({ title }) => !SPECIAL_COLUMNS.has(title));
    const values = value === undefined ? others.filter(({ isGroup }) => !isGroup) : [value];
    const tags = others.filter(({ isGroup }) => isGroup);
    for (const column of others) if (!column.isGroup && !values.includes(column)) this.#columns.add(column.title);
    for (const { title, type } of values)
      if (!NUMBERS.has(type) && !TEXTS.has(type) && !type.startsWith("dateTime"))
        throw new RecordError(
          "ERR_UNSUPPORTED_TYPE",
          `the column ${quoted(title)} has the unknown type ${quoted(type)}`,
        );
    this.#tables++;
    return { count: titles.length, time, measurement: named("_measurement"), field: named("_field"), values, tags };
  }

  /** The table of a query that failed. Its only row has the error. */
  #failed(titles: readonly string[]): Table {
    const column = (title: string) => {
      return { title, index: titles.indexOf(title), type: "error", isGroup: false, standard: "" };
    };
    const error = column("error");
    return { count: titles.length, time: error, measurement: undefined, field: undefined, values: [error], tags: [] };
  }

  #row(cells: readonly string[], table: Table): void {
    if (cells.length !== table.count)
      throw new RecordError("ERR_TRUNCATED", `the row has ${cells.length} of ${table.count} cells`);
    if (table.time.type === "error")
      throw new RecordError("ERR_UNSUPPORTED_TYPE", `the query failed: ${quoted(cells[table.time.index]!)}`);
    const time = this.#timeOf(textOf(cells, table.time), table.time.type);
    for (const column of table.values) {
      const text = textOf(cells, column);
      const isInteger = INTEGERS.has(column.type) || this.#options.isInt64;
      if (text === "") this.#emptyCells++;
      else if (!NUMBERS.has(column.type)) this.#strings++;
      else {
        const value = numberOf(text, column, isInteger);
        this.#options.writer.add(this.#metric(cells, table, column, isInteger), time, value, isInteger);
      }
    }
  }

  /** A number is nanoseconds. */
  #timeOf(text: string, type: string): number {
    if (type !== "dateTime:number" && type !== "long") return this.#options.times.of(text);
    return checkedTime(timestampOf(text, "ns"), "ns", undefined);
  }

  #metric(cells: readonly string[], table: Table, column: Column, isInteger: boolean): ImportedMetric {
    const { metrics } = this.#options;
    const { measurement, field, tags } = table;
    const [start, end] = [measurement, field].map((part) => (part === undefined ? "" : textOf(cells, part)));
    const last = column.title === "_value" ? end! : column.title;
    // The lengths keep keys unambiguous: a cell may contain the separator.
    let key = `${this.#tables} ${isInteger} ${start!.length} ${start} ${last.length} ${last}`;
    for (const tag of tags) key += ` ${textOf(cells, tag).length} ${textOf(cells, tag)}`;
    const found = metrics.find(key);
    if (found !== undefined) return found;
    const values = new Map(tags.map((tag) => [tag.title, textOf(cells, tag)] as const));
    const name = values.get(NAME_TAG) ?? [start!, last].filter((part) => part !== "").join(".");
    values.delete(NAME_TAG);
    const metric = { name, tags: recordOf([...values].filter(([, value]) => value !== "")) };
    return metrics.add(key, isInteger ? { ...metric, type: "int64" } : metric);
  }
}

function textOf(cells: readonly string[], { index, standard }: Column): string {
  return cells[index] === "" ? standard : cells[index]!;
}

function numberOf(text: string, { type, title }: Column, isInteger: boolean): number | bigint {
  if (type !== "boolean") return isInteger ? int64Of(text) : floatOf(text);
  if (text === "true" || text === "false") return Number(text === "true");
  throw new RecordError("ERR_OUT_OF_RANGE", `the value ${quoted(text)} of ${quoted(title)} is not a boolean`);
}
