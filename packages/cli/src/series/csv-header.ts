/** The meaning of the columns of CSV: by their titles, or as the user says. */
import { CSV_COLUMNS, type CsvMeaning, TAG_PREFIX } from "./csv-columns.js";
import { quoted, RecordError } from "./record-error.js";

/** Names of columns, or `*` for all columns without another meaning. */
export type ColumnNames = readonly string[] | "*" | undefined;

/** The options of the user for columns. */
export interface CsvMapping {
  /** The columns that are tags. Others are ignored. Without it, columns without a meaning are an error. */
  readonly tags: ColumnNames;
  /** The name of all metrics, or what comes before the title of a column of values. */
  readonly name: string | undefined;
  /** The title of the column of timestamps. */
  readonly timeColumn: string | undefined;
  /** The columns that are metrics. Without it, `value` is the only one. */
  readonly valueColumns: ColumnNames;
  /** Texts of cells without a value. */
  readonly empty: readonly string[];
  /** The character between cells. Default: a comma. */
  readonly delimiter?: string | undefined;
  /** True if the text must be InfluxDB's annotated CSV. */
  readonly isAnnotated?: boolean | undefined;
}

/** The indices of the columns in a header. */
export interface Header {
  readonly count: number;
  /** -1 if there is none. */
  readonly name: number;
  readonly timestamp: number;
  /** -1 if there is none. */
  readonly type: number;
  readonly tags: readonly Column[];
  /** The columns of values, by what their metrics' names end in: "" for the column `value`. */
  readonly values: readonly Column[];
  /** The titles of columns that are ignored. */
  readonly ignored: readonly string[];
}

/** A column with its index. */
export interface Column {
  readonly key: string;
  readonly index: number;
}

/** Returns the meaning of the columns. Throws a RecordError. */
export function headerOf(cells: readonly string[], mapping: CsvMapping): Header {
  const columns = new Columns(cells, mapping);
  for (const [index, cell] of cells.entries()) columns.add(index, cell);
  return columns.header();
}

class Columns {
  readonly #cells: readonly string[];
  readonly #mapping: CsvMapping;
  readonly #found = new Map<CsvMeaning, number>();
  readonly #tags: Column[] = [];
  readonly #values: Column[] = [];
  readonly #others: string[] = [];

  constructor(cells: readonly string[], mapping: CsvMapping) {
    this.#cells = cells;
    this.#mapping = mapping;
  }

  add(index: number, cell: string): void {
    const title = cell.startsWith(TAG_PREFIX) ? cell : cell.trim();
    const { tags, valueColumns } = this.#mapping;
    const isTag = title.startsWith(TAG_PREFIX) || (tags !== "*" && tags?.includes(title) === true);
    const isValue = !isTag && valueColumns !== "*" && valueColumns?.includes(title) === true;
    const meaning = isTag || isValue ? undefined : this.#meaningOf(title);
    if (meaning !== undefined) {
      if (this.#found.has(meaning))
        throw new RecordError("ERR_DUPLICATE_KEY", `the header has two columns for the ${meaning}`);
      this.#found.set(meaning, index);
    } else if (isTag)
      addColumn(this.#tags, "tag", title.startsWith(TAG_PREFIX) ? title.slice(TAG_PREFIX.length) : title, index);
    // Neither a tag nor a metric can have an empty name.
    else if (title === "") this.#others.push(title);
    else if (isValue || (valueColumns === "*" && tags !== "*")) addColumn(this.#values, "value", title, index);
    else if (tags === "*") addColumn(this.#tags, "tag", title, index);
    else this.#others.push(title);
  }

  header(): Header {
    const found = this.#found;
    const { name, timeColumn, valueColumns, tags } = this.#mapping;
    const isWide = valueColumns !== undefined;
    if (!found.has("timestamp")) throw this.#missing(timeColumn ?? "timestamp");
    if (!isWide && !found.has("value")) throw this.#missing("value");
    if (!isWide && name === undefined && !found.has("name")) throw this.#missing("name");
    for (const [option, what, columns] of [
      [tags, "tag", this.#tags],
      [valueColumns, "value", this.#values],
    ] as const) {
      const title = option === "*" ? undefined : option?.find((key) => !columns.some((column) => column.key === key));
      if (title !== undefined)
        throw new RecordError(
          "ERR_TRUNCATED",
          `the header has no column for the ${what} ${quoted(title)}: ${this.#titles()}`,
        );
    }
    if (isWide && this.#values.length === 0)
      throw new RecordError("ERR_TRUNCATED", `the header has no column of values: ${this.#titles()}`);
    if (tags === undefined && this.#others.length > 0) throw this.#unknown();
    return {
      count: this.#cells.length,
      name: found.get("name") ?? -1,
      timestamp: found.get("timestamp")!,
      type: found.get("type") ?? -1,
      tags: this.#tags,
      values: isWide ? this.#values : [{ key: "", index: found.get("value")! }],
      ignored: this.#others,
    };
  }

  /** A column that the user names instead has no meaning by its title. */
  #meaningOf(title: string): CsvMeaning | undefined {
    const { name, timeColumn, valueColumns } = this.#mapping;
    if (title === timeColumn) return "timestamp";
    const meaning = CSV_COLUMNS.get(title.toLowerCase());
    const isReplaced =
      (meaning === "timestamp" && timeColumn !== undefined) ||
      (meaning === "name" && name !== undefined) ||
      (meaning === "value" && valueColumns !== undefined);
    return isReplaced ? undefined : meaning;
  }

  #missing(column: string): RecordError {
    const advice =
      column === "name"
        ? "; --name and --value-columns are for files without one"
        : column === "value"
          ? "; --value-columns names others"
          : column === "timestamp"
            ? "; --time-column names another"
            : "";
    return new RecordError(
      "ERR_TRUNCATED",
      `the header has no column ${column}; it needs name, timestamp and value: ${this.#titles()}${advice}`,
    );
  }

  #unknown(): RecordError {
    const titles = this.#others.filter((title) => title !== "");
    const list = titles.some((title) => title.includes(",")) ? "'*'" : titles.join(",");
    const text =
      titles.length === 0
        ? "the header has a column without a title: --time-column '' makes it the timestamp, --tags '' ignores it"
        : `the header has other columns: --tags ${list} makes them tags, --tags '' ignores them`;
    return new RecordError("ERR_UNSUPPORTED_TYPE", text);
  }

  #titles(): string {
    return this.#cells.map(quoted).join(", ");
  }
}

function addColumn(columns: Column[], what: string, key: string, index: number): void {
  if (columns.some((column) => column.key === key))
    throw new RecordError("ERR_DUPLICATE_KEY", `the header has two columns for the ${what} ${quoted(key)}`);
  columns.push({ key, index });
}
