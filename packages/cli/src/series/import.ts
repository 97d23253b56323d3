/** `moonpack series import`: reads points from files or a pipe, and writes them to a store. */
import type { Series } from "@moonpack/series";
import { DataError, describeError, Failure } from "../shared/failure.js";
import { isGzip, unzipped } from "../shared/gunzip.js";
import { ByteWindow } from "../shared/input.js";
import { summarize } from "../shared/messages.js";
import { userPath } from "../shared/paths.js";
import { printable } from "../shared/printable.js";
import { hideProgress, Progress } from "../shared/progress.js";
import { statusOf } from "../shared/status.js";
import { counted, grouped } from "../shared/table.js";
import { readRecords, type Watcher } from "./import-formats.js";
import { closeInputs, type ImportOptions, type Input, inputsOf, mappingOf } from "./import-options.js";
import { ImportedMetrics } from "./imported-metrics.js";
import { Interruption } from "./interruption.js";
import type { PointFormat } from "./point-formats.js";
import { type ImportCounts, PointWriter, type RecordPlace } from "./point-writer.js";
import type { RecordError } from "./record-error.js";
import type { Skipped } from "./record-parser.js";
import { skippedLines } from "./skipped.js";
import { hasStore, withLateSeries } from "./store.js";
import { TextTime } from "./text-time.js";

/** Invalid records that are shown; the others are counted. */
const SHOWN_INVALID = 20;

/** The result of an import. */
interface Outcome {
  readonly counts: ImportCounts;
  readonly invalid: number;
  readonly skipped: readonly Skipped[];
  readonly ambiguous: number;
  readonly failure: unknown;
  readonly interruption: Interruption;
  readonly last: RecordPlace | undefined;
}

/** Imports files, or standard input if no file is named. */
export async function importPoints(path: string, files: readonly string[], options: ImportOptions): Promise<void> {
  const inputs = await inputsOf(files, options);
  const store = { path: userPath(path), driver: options.driver };
  const { maxAhead } = options;
  const outcome = await withLateSeries(store, maxAhead === undefined ? {} : { maxAhead }, async (open) => {
    // A store that exists is opened first: another process may have it.
    if (hasStore(store.path)) await open();
    return await importAll(open, inputs, options);
  }).finally(() => closeInputs(inputs));
  const { interruption, failure, counts } = outcome;
  summarize(summary(outcome, path));
  if (failure !== undefined) throw failure;
  if (interruption.code !== undefined) process.exitCode = interruption.code;
  else if (counts.refused > 0) throw refused(counts, maxAhead);
}

/** Imports all inputs. A new store is opened, and so created, for the first metric, or when all inputs were read. */
async function importAll(
  open: () => Promise<Series>,
  inputs: readonly Input[],
  options: ImportOptions,
): Promise<Outcome> {
  const interruption = new Interruption();
  const series: LateSeries = {
    metric: async (metric) => (await open()).metric(metric),
    write: async (points) => (await open()).write(points),
  };
  const run = new ImportRun(series, inputs, options, interruption);
  interruption.start();
  let failure: unknown;
  try {
    await run.readAll();
    if (interruption.code === undefined) await open();
  } catch (error) {
    failure = await run.endAfter(error);
  } finally {
    run.progress.stop();
    interruption.stop();
  }
  return {
    counts: run.writer.counts,
    invalid: run.invalid,
    skipped: run.skipped,
    ambiguous: run.textTime.ambiguous,
    failure,
    interruption,
    last: run.last,
  };
}

/** The calls of a store that an import needs. */
type LateSeries = Pick<Series, "metric" | "write">;

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
  /** Parts of each input that were skipped without an error. */
  readonly skipped: Skipped[] = [];
  readonly textTime: TextTime;
  #file = "";

  constructor(series: LateSeries, inputs: readonly Input[], options: ImportOptions, interruption: Interruption) {
    this.#inputs = inputs;
    this.#options = options;
    this.#interruption = interruption;
    this.textTime = new TextTime(options.timeFormat, options.timeZone);
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
  async #read({ path, format, opened }: Input, done: number): Promise<number> {
    const file = opened?.file ?? (await ByteWindow.open(path));
    this.#file = path === "-" ? "standard input" : path;
    this.#metrics.startInput(hasLabels(format));
    const isScrape = format === "prometheus" || format === "openmetrics";
    // All samples of a Prometheus scrape share one time. In other formats, a line without a time gets its arrival time.
    let arrival = Date.now();
    const watcher: Watcher = {
      interruption: this.#interruption,
      skips: this.#options.skipInvalid,
      arrived: () => {
        if (!isScrape) arrival = Date.now();
        this.progress.update(done + file.position);
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
      textTime: this.textTime,
      csv: mappingOf(this.#options),
      isInt64: int64,
      timestamp: () => timestamp ?? arrival,
    };
    let window = opened?.window ?? file;
    try {
      if (opened === undefined && (await this.#interruption.orInterrupted(isGzip(file))) === true)
        window = unzipped(file, this.#file);
      this.skipped.push(await readRecords(format, window, parsing, watcher));
      return file.position;
    } finally {
      if (window !== file) await window.close();
      await file.close();
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

/** True for a format whose labels may have characters that a store does not accept. */
function hasLabels(format: PointFormat): boolean {
  return format !== "ndjson" && format !== "csv" && format !== "annotated-csv" && format !== "line";
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

function summary(outcome: Outcome, path: string): string {
  const { counts, invalid, skipped, ambiguous, failure, interruption, last } = outcome;
  const { accepted, late, refused } = counts;
  const isCut = failure !== undefined || interruption.code !== undefined;
  if (failure !== undefined && accepted === 0) return "";
  const end = interruption.code === undefined ? " before the error" : `, then interrupted${after(last)}`;
  const shown = invalid > SHOWN_INVALID ? `, the first ${SHOWN_INVALID} are shown above` : "";
  const lines = [`${counted(accepted, "point")} imported into ${path}${isCut ? end : ""}`];
  if (late > 0)
    lines.push(`${grouped(late)} of them are older than what the store has written, and were merged into it`);
  if (refused > 0) lines.push(`${grouped(refused)} refused: too far ahead of the clock`);
  if (invalid > 0) lines.push(`${counted(invalid, "invalid record")} skipped${shown}`);
  if (ambiguous > 0) lines.push(`${counted(ambiguous, "time")} read as the first of two: clocks were set back`);
  lines.push(...skippedLines(skipped));
  return lines.map((line) => `${printable(line)}\n`).join("");
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
