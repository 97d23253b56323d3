/** The options of `moonpack series import`, and the inputs that they name. */
import { isatty } from "node:tty";
import { Failure, UsageError } from "../shared/failure.js";
import { isUnnamed } from "../shared/formats.js";
import { inputPath } from "../shared/paths.js";
import { statusOf } from "../shared/status.js";
import type { ColumnNames, CsvMapping } from "./csv-header.js";
import { POINT_FORMATS, type PointFormat, settledFormat } from "./point-formats.js";
import { type OpenedInput, openSniffed } from "./sniff-points.js";
import type { DriverName } from "./store.js";
import type { TimeFormat } from "./time-format.js";
import type { TimeZone } from "./time-zone.js";
import type { TimeUnit } from "./times.js";

/** Options of `moonpack series import`, as the command line gives them. */
export interface ImportOptions {
  readonly format?: PointFormat;
  readonly tags?: string;
  readonly name?: string;
  readonly timeColumn?: string;
  readonly valueColumns?: string;
  readonly empty?: string;
  readonly delimiter?: string;
  readonly unit?: TimeUnit;
  readonly timeFormat?: TimeFormat;
  readonly timeZone?: TimeZone;
  readonly int64: boolean;
  readonly timestamp?: number;
  readonly skipInvalid: boolean;
  /** Milliseconds. */
  readonly maxAhead?: number;
  readonly driver?: DriverName;
}

/** An input and its format. */
export interface Input {
  readonly path: string;
  readonly format: PointFormat;
  /** Its windows, if it was opened to recognise its format. */
  readonly opened?: OpenedInput;
}

/** The options of CSV, and of formats whose times may be texts. */
const CSV_OPTIONS = ["tags", "name", "timeColumn", "valueColumns", "empty", "delimiter"] as const;
const TEXT_OPTIONS = ["timeFormat", "timeZone"] as const;

/** Returns the inputs with their formats. Throws for options that do not fit them, and for files that cannot be read. */
export async function inputsOf(files: readonly string[], options: ImportOptions): Promise<Input[]> {
  if (files.length === 0 && isatty(0))
    throw new UsageError("import needs a file or a pipe, for example: moonpack series import metrics points.ndjson");
  const inputs: Input[] = [];
  try {
    for (const file of files.length === 0 ? ["-"] : files) inputs.push(await inputOf(inputPath(file), options));
    checkOptions(inputs, options);
    for (const { path } of inputs) checkFile(path);
    return inputs;
  } catch (error) {
    await closeInputs(inputs);
    throw error;
  }
}

/** Throws for a file that cannot be read, before a new store is created. */
function checkFile(path: string): void {
  if (path === "-") return;
  const status = statusOf(path);
  if (status === undefined) throw new Failure(`cannot read ${path}: no such file or folder`);
  if (status.isDirectory()) throw new Failure(`cannot read ${path}: it is a folder, not a file`);
}

/** Closes the inputs that were opened to recognise their formats. */
export async function closeInputs(inputs: readonly Input[]): Promise<void> {
  for (const { opened } of inputs) {
    await opened?.window.close();
    await opened?.file.close();
  }
}

async function inputOf(path: string, { format, delimiter }: ImportOptions): Promise<Input> {
  if (format !== undefined || !isUnnamed(path)) return { path, format: settledFormat(path, format) };
  const opened = await openSniffed(path, delimiter);
  if (opened.format !== undefined) return { path, format: opened.format, opened };
  const isEmpty = opened.window.size === 0;
  await opened.file.close();
  if (path === "-" && isEmpty)
    throw new UsageError(
      `the format of standard input is unknown, since it is empty: add --format ${POINT_FORMATS.join(", ")}`,
    );
  return { path, format: settledFormat(path, undefined) };
}

/** Throws for options that an input's format does not have. */
function checkOptions(inputs: readonly Input[], options: ImportOptions): void {
  const has = (...formats: readonly PointFormat[]) => inputs.some(({ format }) => formats.includes(format));
  const others = (...formats: readonly PointFormat[]) => inputs.find(({ format }) => !formats.includes(format))?.format;
  for (const option of CSV_OPTIONS)
    if (options[option] !== undefined && others("csv") !== undefined)
      throw new UsageError(`${flagOf(option)} needs CSV: ${others("csv")} says what is a name, a tag and a value`);
  const { timeColumn, tags, valueColumns } = mappingOf(options);
  const titles = [timeColumn ?? [], tags ?? [], valueColumns ?? []].flat();
  const twice = titles.find((title, i) => title !== "*" && titles.indexOf(title) < i);
  if (twice !== undefined) throw new UsageError(`the column ${twice} is named twice: it is the time, a tag or a value`);
  for (const option of TEXT_OPTIONS)
    if (options[option] !== undefined && others("csv", "ndjson") !== undefined)
      throw new UsageError(
        `${flagOf(option)} needs csv or ndjson: the times of ${others("csv", "ndjson")} are numbers`,
      );
  if (options.unit === undefined) return;
  if (has("openmetrics")) throw new UsageError("--unit does not apply to openmetrics: its timestamps are seconds");
  // --unit applies to all files, but their formats may differ, and Prometheus' text has a fixed unit.
  if (options.format === undefined && has("prometheus"))
    throw new UsageError(
      "--unit does not apply to prometheus: its timestamps are milliseconds, OpenMetrics has seconds. " +
        "For a file with another unit add --format prometheus",
    );
}

/** The option of the command line for a member: `--time-column`. */
function flagOf(option: string): string {
  return `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** Returns the meaning of the columns of CSV, by the options. */
export function mappingOf({ tags, name, timeColumn, valueColumns, empty = "", delimiter }: ImportOptions): CsvMapping {
  const columns = { tags: columnNames(tags), timeColumn, valueColumns: columnNames(valueColumns) };
  return { ...columns, name, empty: listOf(empty), delimiter };
}

function columnNames(option: string | undefined): ColumnNames {
  return option === undefined || option === "*" ? option : listOf(option);
}

/** The items of a list with commas. */
function listOf(text: string): readonly string[] {
  const items = text.split(",").map((item) => item.trim());
  return items.filter((item) => item !== "");
}
