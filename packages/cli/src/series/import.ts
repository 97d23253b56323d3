/** `moonpack series import`: reads points from files or a pipe, and writes them to a store. */
import { isatty } from "node:tty";
import type { Series } from "@moonpack/series";
import { DataError, describeError, Failure, UsageError } from "../shared/failure.js";
import { ByteWindow } from "../shared/input.js";
import { inputPath, userPath } from "../shared/paths.js";
import { printable } from "../shared/printable.js";
import { hideProgress, Progress } from "../shared/progress.js";
import { statusOf } from "../shared/status.js";
import { grouped } from "../shared/table.js";
import type { TagColumns } from "./csv.js";
import { type PointFormat, readRecords, settledFormat, type Watcher } from "./import-formats.js";
import { ImportedMetrics } from "./imported-metrics.js";
import { Interruption } from "./interruption.js";
import { type ImportCounts, PointWriter, type RecordPlace } from "./point-writer.js";
import type { RecordError } from "./record-error.js";
import { type DriverName, withSeries } from "./store.js";
import { storedText } from "./stored-text.js";
import type { TimeUnit } from "./times.js";

/** Options of `moonpack series import`, as the command line gives them. */
export interface ImportOptions {
  readonly format?: PointFormat;
  readonly tags?: string;
  readonly unit?: TimeUnit;
  readonly int64: boolean;
  readonly timestamp?: number;
  readonly skipInvalid: boolean;
  /** Milliseconds. */
  readonly maxAhead?: number;
  readonly driver?: DriverName;
}

/** Invalid records that are shown; the others are counted. */
const SHOWN_INVALID = 20;

/** An input and its format. */
interface Input {
  readonly path: string;
  readonly format: PointFormat;
}

/** The result of an import. */
interface Outcome {
  readonly counts: ImportCounts;
  readonly invalid: number;
  readonly strings: number;
  readonly exemplars: number;
  readonly columns: ReadonlySet<string>;
  readonly failure: unknown;
  readonly interruption: Interruption;
  readonly last: RecordPlace | undefined;
}

/** Imports files, or standard input if no file is named. */
export async function importPoints(path: string, files: readonly string[], options: ImportOptions): Promise<void> {
  const inputs = inputsOf(files, options);
  const store = { path: userPath(path), driver: options.driver };
  const { maxAhead } = options;
  const outcome = await withSeries(store, maxAhead === undefined ? {} : { maxAhead }, (series) =>
    importAll(series, inputs, options),
  );
  const { interruption, failure, counts } = outcome;
  process.stdout.write(summary(outcome, path));
  if (failure !== undefined) throw failure;
  if (interruption.code !== undefined) process.exitCode = interruption.code;
  else if (counts.refused > 0) throw refused(counts, maxAhead);
}

function inputsOf(files: readonly string[], { format, tags, unit }: ImportOptions): Input[] {
  if (files.length === 0 && isatty(0))
    throw new UsageError("import needs a file or a pipe, for example: moonpack series import metrics points.ndjson");
  const inputs = (files.length === 0 ? ["-"] : files).map((file) => {
    const path = inputPath(file);
    return { path, format: settledFormat(path, format) };
  });
  if (tags !== undefined && inputs.some((input) => input.format !== "csv"))
    throw new UsageError("--tags needs CSV: other formats say what is a tag");
  // --unit applies to all files, but their formats may differ, and Prometheus' text has a fixed unit.
  if (unit !== undefined && format === undefined && inputs.some((input) => input.format === "prometheus"))
    throw new UsageError(
      "--unit does not apply to prometheus: its timestamps are milliseconds, OpenMetrics has seconds. " +
        "For a file with another unit add --format prometheus",
    );
  // Checked before a new store is created.
  for (const { path } of inputs)
    if (path !== "-" && statusOf(path) === undefined) throw new Failure(`cannot read ${path}: no such file or folder`);
  return inputs;
}

async function importAll(series: Series, inputs: readonly Input[], options: ImportOptions): Promise<Outcome> {
  const interruption = new Interruption();
  const run = new ImportRun(series, inputs, options, interruption);
  interruption.start();
  let failure: unknown;
  try {
    await run.readAll();
  } catch (error) {
    failure = await run.endAfter(error);
  } finally {
    run.progress.stop();
    interruption.stop();
  }
  return {
    counts: run.writer.counts,
    invalid: run.invalid,
    strings: run.strings,
    exemplars: run.exemplars,
    columns: run.columns,
    failure,
    interruption,
    last: run.last,
  };
}

/** One run of the command. */
class ImportRun {
  readonly #inputs: readonly Input[];
  readonly #options: ImportOptions;
  readonly #interruption: Interruption;
  readonly #metrics: ImportedMetrics;
  readonly writer: PointWriter;
  readonly progress: Progress;
  /** Skipped invalid records. */
  invalid = 0;
  /** Skipped strings of line protocol: only numbers and booleans are points. */
  strings = 0;
  /** Exemplars of OpenMetrics. */
  exemplars = 0;
  /** Columns of CSV that are not imported. */
  readonly columns = new Set<string>();
  #file = "";

  constructor(series: Series, inputs: readonly Input[], options: ImportOptions, interruption: Interruption) {
    this.#inputs = inputs;
    this.#options = options;
    this.#interruption = interruption;
    this.#metrics = new ImportedMetrics(series, options.int64);
    this.writer = new PointWriter(series, this.#metrics);
    this.progress = new Progress("importing", totalBytes(inputs));
  }

  /** The last record that was passed to the store; undefined before the first. */
  get last(): RecordPlace | undefined {
    return this.writer.last;
  }

  async readAll(): Promise<void> {
    let done = 0;
    for (const input of this.#inputs) {
      if (this.#interruption.code !== undefined) break;
      done += await this.#read(input, done);
    }
    await this.writer.settle();
  }

  /** Writes the points of the records before an error. Returns the first error. */
  async endAfter(error: unknown): Promise<unknown> {
    try {
      if (this.writer.takeUnitError(true) === undefined) await this.writer.write(this.#refuse, true);
      await this.writer.settle();
    } catch (earlier) {
      return earlier;
    }
    return error;
  }

  /** Reads an input. Returns its bytes. */
  async #read({ path, format }: Input, done: number): Promise<number> {
    const window = await ByteWindow.open(path);
    this.#file = path === "-" ? "standard input" : path;
    this.#metrics.startInput(format === "prometheus" ? storedText : undefined);
    // All samples of a Prometheus scrape share one time. In other formats, a line without a time gets its arrival time.
    let arrival = Date.now();
    const watcher: Watcher = {
      interruption: this.#interruption,
      skips: this.#options.skipInvalid,
      arrived: () => {
        if (format !== "prometheus") arrival = Date.now();
        this.progress.update(done + window.position);
      },
      refuse: this.#refuse,
      fail: this.#fail,
    };
    const { unit, int64, timestamp } = this.#options;
    this.writer.startFile(this.#file);
    const parsing = {
      metrics: this.#metrics,
      writer: this.writer,
      unit,
      isInt64: int64,
      timestamp: () => timestamp ?? arrival,
    };
    try {
      const tags = tagColumns(this.#options.tags);
      const { strings, exemplars, columns } = await readRecords(format, window, parsing, tags, watcher);
      this.strings += strings;
      this.exemplars += exemplars;
      for (const column of columns) this.columns.add(column);
      return window.position;
    } finally {
      await window.close();
    }
  }

  readonly #fail = (error: RecordError, line: number): never => {
    const column = error.column === undefined ? "" : ` column ${error.column}`;
    throw new DataError(this.#file, `${describeError(error)}, line ${line}${column}`, error);
  };

  readonly #refuse = (error: RecordError, line: number): void => {
    if (!this.#options.skipInvalid) this.#fail(error, line);
    if (++this.invalid > SHOWN_INVALID) return;
    hideProgress();
    const column = error.column === undefined ? "" : ` column ${error.column}`;
    process.stderr.write(
      `moonpack: skipped: ${printable(`${this.#file}: ${describeError(error)}, line ${line}${column}`)}\n`,
    );
  };
}

function tagColumns(option: string | undefined): TagColumns {
  if (option === undefined || option === "*") return option;
  const names = option.split(",").map((name) => name.trim());
  return names.filter((name) => name !== "");
}

/** The bytes of all inputs; undefined if one is a pipe. */
function totalBytes(inputs: readonly Input[]): number | undefined {
  let total = 0;
  for (const { path } of inputs) {
    const status = path === "-" ? undefined : statusOf(path);
    if (status?.isFile() !== true) return undefined;
    total += Number(status.size);
  }
  return total;
}

function summary(
  { counts, invalid, strings, exemplars, columns, failure, interruption, last }: Outcome,
  path: string,
): string {
  const { accepted, late, refused } = counts;
  const isCut = failure !== undefined || interruption.code !== undefined;
  if (failure !== undefined && accepted === 0) return "";
  const end = interruption.code === undefined ? " before the error" : `, then interrupted${after(last)}`;
  const shown = invalid > SHOWN_INVALID ? `, the first ${SHOWN_INVALID} are shown above` : "";
  const lines = [`${counted(accepted, "point")} imported into ${path}${isCut ? end : ""}`];
  if (late > 0) lines.push(`${grouped(late)} of them late: merged into minutes that were sealed before`);
  if (refused > 0) lines.push(`${grouped(refused)} refused: too far ahead of the clock`);
  if (invalid > 0) lines.push(`${counted(invalid, "invalid record")} skipped${shown}`);
  if (strings > 0) lines.push(`${counted(strings, "string")} skipped: only numbers and booleans are points`);
  if (exemplars > 0) lines.push(`${counted(exemplars, "exemplar")} skipped: a store has points only`);
  if (columns.size > 0) lines.push(`columns not imported: ${[...columns].join(", ")}`);
  return lines.map((line) => `${printable(line)}\n`).join("");
}

function counted(count: number, what: string): string {
  return `${grouped(count)} ${what}${count === 1 ? "" : "s"}`;
}

function after(last: RecordPlace | undefined): string {
  return last === undefined ? "" : ` after ${last.file}, line ${last.line}`;
}

function refused({ refused, firstRefused }: ImportCounts, maxAhead: number | undefined): Failure {
  const limit = maxAhead === undefined ? "1 day" : `${grouped(maxAhead / 1000)} seconds`;
  const { file, line } = firstRefused!;
  const place = `the first is in ${file}, line ${line}`;
  return new Failure(
    `${grouped(refused)} not imported: more than ${limit} ahead of the clock; ${place}; check --unit, or raise --max-ahead`,
  );
}
