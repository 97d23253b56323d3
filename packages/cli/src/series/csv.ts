/** Points as CSV with a header: columns for name, timestamp and value, and a column for each tag; or InfluxDB's annotated CSV. */
import { recordOf } from "moonpack/bytes";
import { AnnotatedCsvParser, isAnnotation } from "./annotated-csv.js";
import { type Column, type CsvMapping, type Header, headerOf } from "./csv-header.js";
import type { ImportedMetric } from "./imported-metrics.js";
import { floatOf, int64Of } from "./numbers.js";
import { quoted, RecordError } from "./record-error.js";
import type { ParserOptions, Skipped } from "./record-parser.js";

/** Parses rows. The first one is the header, or an annotation of InfluxDB. */
export class CsvParser {
  readonly #options: ParserOptions;
  readonly #mapping: CsvMapping;
  #header: Header | undefined;
  #annotated: AnnotatedCsvParser | undefined;
  #emptyCells = 0;

  constructor(options: ParserOptions, mapping: CsvMapping) {
    this.#options = options;
    this.#mapping = mapping;
  }

  /** Parts that were skipped without an error. */
  get skipped(): Skipped {
    return this.#annotated?.skipped ?? { emptyCells: this.#emptyCells, columns: this.#header?.ignored ?? [] };
  }

  /** True until a header has been parsed. Without it no row can be read. */
  get needsHeader(): boolean {
    return this.#annotated?.needsHeader ?? this.#header === undefined;
  }

  /** Adds the points of a row to the writer. Throws a RecordError. */
  parse(cells: readonly string[]): void {
    const header = this.#header;
    if (this.#annotated === undefined && header === undefined && isAnnotation(cells)) this.#annotated = this.#influx();
    if (this.#annotated !== undefined) this.#annotated.parse(cells);
    else if (header === undefined && this.#mapping.isAnnotated === true)
      throw new RecordError("ERR_TRUNCATED", "the first row is not an annotation: #datatype, #group or #default");
    else if (header === undefined) this.#header = headerOf(cells, this.#mapping);
    else this.#row(cells, header);
  }

  #influx(): AnnotatedCsvParser {
    const { tags, name, timeColumn, valueColumns } = this.#mapping;
    if ([tags, name, timeColumn, valueColumns].every((option) => option === undefined))
      return new AnnotatedCsvParser(this.#options);
    throw new RecordError(
      "ERR_UNSUPPORTED_TYPE",
      "InfluxDB's annotated CSV says what its columns are: --tags, --name, --time-column and --value-columns do not apply",
    );
  }

  #row(cells: readonly string[], header: Header): void {
    if (cells.length !== header.count)
      throw new RecordError("ERR_TRUNCATED", `the row has ${cells.length} of ${header.count} cells`);
    const { writer, times, ...options } = this.#options;
    const { empty, valueColumns } = this.#mapping;
    const type = typeOf(header.type < 0 ? "" : cells[header.type]!);
    const isInt64 = options.isInt64 || type === "int64";
    const time = times.of(cells[header.timestamp]!.trim());
    for (const column of header.values) {
      const text = cells[column.index]!.trim();
      if ((text === "" && valueColumns !== undefined) || (text !== "" && empty.includes(text))) {
        this.#emptyCells++;
        continue;
      }
      const value = isInt64 ? valueIn(text, column, int64Of) : valueIn(text, column, floatOf);
      writer.add(this.#metric(cells, header, column, type), time, value, isInt64);
    }
  }

  #metric(
    cells: readonly string[],
    { name, tags }: Header,
    column: Column,
    type: "float" | "int64" | undefined,
  ): ImportedMetric {
    const { metrics } = this.#options;
    const first = this.#mapping.name ?? (name < 0 ? "" : cells[name]!);
    // The lengths keep keys unambiguous: a cell may contain the separator.
    let key = `${type ?? ""} ${column.index} ${first.length} ${first}`;
    for (const { index } of tags) key += ` ${cells[index]!.length} ${cells[index]}`;
    const found = metrics.find(key);
    if (found !== undefined) return found;
    const present = tags.filter(({ index }) => cells[index] !== "");
    const values = recordOf(present.map(({ key, index }) => [key, cells[index]!] as const));
    const whole = [first, column.key].filter((part) => part !== "").join(".");
    return metrics.add(key, { name: whole, tags: values, ...(type === undefined ? {} : { type }) });
  }
}

/** Reads a cell. Its error names the column if there are several. */
function valueIn<T>(text: string, { key }: Column, read: (text: string) => T): T {
  try {
    return read(text);
  } catch (error) {
    if (!(error instanceof RecordError) || key === "") throw error;
    throw new RecordError(error.code, `${error.message}, in the column ${quoted(key)}`);
  }
}

function typeOf(text: string): "float" | "int64" | undefined {
  if (text === "float" || text === "int64") return text;
  if (text === "") return undefined;
  throw new RecordError(
    "ERR_UNSUPPORTED_TYPE",
    `the type ${quoted(text)} is neither float nor int64; for a tag use --tags type`,
  );
}
