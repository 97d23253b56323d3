/** Points as CSV with a header: columns for name, timestamp and value, and a column for each tag. */
import { recordOf } from "moonpack/bytes";
import { CSV_COLUMNS, TAG_PREFIX } from "./csv-columns.js";
import type { ImportedMetric } from "./imported-metrics.js";
import { floatOf, int64Of } from "./numbers.js";
import { quoted, RecordError } from "./record-error.js";
import type { ParserOptions } from "./record-parser.js";

/**
 * The columns that are tags: the names in `--tags`, or `*` for all columns without another meaning. Other columns are ignored.
 * Without the option, such columns are an error.
 */
export type TagColumns = readonly string[] | "*" | undefined;

/** The indices of the columns in a header. */
interface Header {
  readonly count: number;
  readonly name: number;
  readonly timestamp: number;
  readonly value: number;
  /** -1 if there is none. */
  readonly type: number;
  readonly tags: readonly { readonly key: string; readonly index: number }[];
  /** The titles of columns that are ignored. */
  readonly ignored: readonly string[];
}

/** Parses rows. The first one is the header. */
export class CsvParser {
  readonly #options: ParserOptions;
  readonly #tags: TagColumns;
  #header: Header | undefined;

  constructor(options: ParserOptions, tags: TagColumns) {
    this.#options = options;
    this.#tags = tags;
  }

  /** The titles of columns that are not imported. */
  get ignored(): readonly string[] {
    return this.#header?.ignored ?? [];
  }

  /** True until the header has been parsed. Without it no row can be read. */
  get needsHeader(): boolean {
    return this.#header === undefined;
  }

  /** Adds the point of a row to the writer. Throws a RecordError. */
  parse(cells: readonly string[]): void {
    const header = this.#header;
    if (header === undefined) this.#header = headerOf(cells, this.#tags);
    else this.#point(cells, header);
  }

  #point(cells: readonly string[], header: Header): void {
    if (cells.length !== header.count)
      throw new RecordError("ERR_TRUNCATED", `the row has ${cells.length} of ${header.count} cells`);
    const { writer, times, ...options } = this.#options;
    const type = typeOf(header.type < 0 ? "" : cells[header.type]!);
    const isInt64 = options.isInt64 || type === "int64";
    const time = times.of(cells[header.timestamp]!.trim());
    const text = cells[header.value]!.trim();
    const value = isInt64 ? int64Of(text) : floatOf(text);
    writer.add(this.#metric(cells, header, type), time, value, isInt64);
  }

  #metric(cells: readonly string[], { name, tags }: Header, type: "float" | "int64" | undefined): ImportedMetric {
    const { metrics } = this.#options;
    // The lengths keep keys unambiguous: a cell may contain the separator.
    let key = `${type ?? ""} ${cells[name]!.length} ${cells[name]}`;
    for (const { index } of tags) key += ` ${cells[index]!.length} ${cells[index]}`;
    const found = metrics.find(key);
    if (found !== undefined) return found;
    const present = tags.filter(({ index }) => cells[index] !== "");
    const values = recordOf(present.map(({ key, index }) => [key, cells[index]!] as const));
    return metrics.add(key, { name: cells[name]!, tags: values, ...(type === undefined ? {} : { type }) });
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

function headerOf(cells: readonly string[], wanted: TagColumns): Header {
  const found = new Map<string, number>();
  const tags: { key: string; index: number }[] = [];
  const others: string[] = [];
  for (const [index, cell] of cells.entries()) {
    const title = cell.startsWith(TAG_PREFIX) ? cell : cell.trim();
    const isTag = title.startsWith(TAG_PREFIX) || (wanted !== "*" && wanted?.includes(title) === true);
    const meaning = isTag ? undefined : CSV_COLUMNS.get(title.toLowerCase());
    if (meaning !== undefined) {
      if (found.has(meaning))
        throw new RecordError("ERR_DUPLICATE_KEY", `the header has two columns for the ${meaning}`);
      found.set(meaning, index);
    } else if (isTag || wanted === "*") {
      const key = title.startsWith(TAG_PREFIX) ? title.slice(TAG_PREFIX.length) : title;
      if (tags.some((tag) => tag.key === key))
        throw new RecordError("ERR_DUPLICATE_KEY", `the header has two columns for the tag ${quoted(key)}`);
      tags.push({ key, index });
    } else others.push(title);
  }
  for (const column of ["name", "timestamp", "value"])
    if (!found.has(column))
      throw new RecordError(
        "ERR_TRUNCATED",
        `the header has no column ${column}; it needs name, timestamp and value: ${titles(cells)}`,
      );
  if (wanted === undefined && others.length > 0)
    throw new RecordError(
      "ERR_UNSUPPORTED_TYPE",
      `the header has other columns: --tags ${others.join(",")} makes them tags, --tags '' ignores them`,
    );
  const missing = wanted === "*" ? undefined : wanted?.find((key) => !tags.some((tag) => tag.key === key));
  if (missing !== undefined)
    throw new RecordError("ERR_TRUNCATED", `the header has no column for the tag ${quoted(missing)}: ${titles(cells)}`);
  return {
    count: cells.length,
    name: found.get("name")!,
    timestamp: found.get("timestamp")!,
    value: found.get("value")!,
    type: found.get("type") ?? -1,
    tags,
    ignored: others,
  };
}

function titles(cells: readonly string[]): string {
  return cells.map(quoted).join(", ");
}
