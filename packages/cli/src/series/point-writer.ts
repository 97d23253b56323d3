/** Writes the points of an import in batches, and counts written, late and refused points. */
import type { NewPoint, Series, WriteResult } from "@moonpack/series";
import type { ImportedMetric, ImportedMetrics } from "./imported-metrics.js";
import { RecordError } from "./record-error.js";
import { isIn1970, type Timestamps } from "./timestamps.js";

/** Number of points in a batch. */
const BATCH = 8192;
/** Maximum number of batches that are written while the next one is parsed. */
const MAX_IN_FLIGHT = 2;
/** Maximum number of points that wait until the unit of their times is certain. */
const MAX_WAITING = 262_144;

/** Advice for a number beyond 2^53. */
const INT64_ADVICE = "; use a string in NDJSON, --int64 elsewhere";

/** A place in the inputs. `file` is the name of the file for users. */
export interface RecordPlace {
  readonly file: string;
  readonly line: number;
}

/** The results of the points so far. */
export interface ImportCounts {
  accepted: number;
  late: number;
  /** Points that `write` of the store refused. Points that the callback `refuse` receives are not counted here: the store never got them. */
  refused: number;
  /** The place of the first point that `write` of the store refused. */
  firstRefused: RecordPlace | undefined;
}

/** Collects points, and writes them in batches. */
export class PointWriter {
  readonly #series: Pick<Series, "write">;
  readonly #metrics: ImportedMetrics;
  readonly #batch: number;
  readonly counts: ImportCounts = { accepted: 0, late: 0, refused: 0, firstRefused: undefined };
  readonly #inFlight: Promise<void>[] = [];
  // The columns of the collected points, which are not written yet.
  #metricsOfPoints: ImportedMetric[] = [];
  #times: number[] = [];
  #values: (number | bigint)[] = [];
  #isInt64: boolean[] = [];
  #lines: number[] = [];
  #file = "";
  #line = 0;
  /** Reads the timestamps of the current input. */
  #timestamps: Timestamps | undefined;
  /** The place of the last record whose points were passed to the store; undefined before the first. */
  last: RecordPlace | undefined;

  constructor(series: Pick<Series, "write">, metrics: ImportedMetrics, batch = BATCH) {
    this.#series = series;
    this.#metrics = metrics;
    this.#batch = batch;
  }

  /** Starts an input. The points of the previous input must be written. */
  startFile(name: string): void {
    this.#file = name;
  }

  /** Sets how the times of the input are read. Points wait until the unit of these times is certain. */
  setTimestamps(timestamps: Timestamps): void {
    this.#timestamps = timestamps;
  }

  /** Starts a record at a line. */
  startRecord(line: number): void {
    this.#line = line;
  }

  /** Adds a point. `isInt64`: the input states that the value is an integer. */
  add(metric: ImportedMetric, time: number, value: number | bigint, isInt64: boolean): void {
    this.#metricsOfPoints.push(metric);
    this.#times.push(time);
    this.#values.push(value);
    this.#isInt64.push(isInt64);
    this.#lines.push(this.#line);
  }

  /** Number of collected points that are not written yet. */
  get length(): number {
    return this.#times.length;
  }

  /** True when a batch is complete: call `write`. */
  get isFull(): boolean {
    return this.#times.length >= this.#batch;
  }

  /** Removes the points from `length` on, when a record turns out to be invalid. */
  dropFrom(length: number): void {
    for (const list of [this.#metricsOfPoints, this.#times, this.#values, this.#isInt64, this.#lines])
      list.length = length;
  }

  /** Returns true while the points must wait, because the unit of their times is not certain. */
  #mustWait(isEnd: boolean): boolean {
    return this.#timestamps?.isOpen === true && !isEnd && this.length < MAX_WAITING;
  }

  /**
   * Returns the error of waiting points whose unit cannot be determined, with its line, and drops the points. Returns undefined if
   * the unit may still become known, or if the points can be imported as they are.
   */
  takeUnitError(isEnd: boolean): { readonly error: RecordError; readonly line: number } | undefined {
    const error = this.#mustWait(isEnd) ? undefined : this.#timestamps?.unitError;
    if (error === undefined) return undefined;
    const line = this.#lines[this.#times.findIndex(isIn1970)] ?? this.#line;
    this.dropFrom(0);
    return { error, line };
  }

  /**
   * Writes the collected points. Writes nothing while they must wait for the unit of their times. The wait ends when the unit is certain,
   * when MAX_WAITING points are collected, or when the input has ended (`isEnd`). Returns when at most MAX_IN_FLIGHT batches are still being written. Calls `refuse` with the line of each
   * point that the store cannot hold, and omits the point. If `refuse` throws, the points before this one are written, and then the error
   * is thrown.
   */
  async write(refuse: (error: RecordError, line: number) => void, isEnd = false): Promise<void> {
    if (this.length === 0 || this.#mustWait(isEnd)) return;
    await this.#metrics.register();
    const points: NewPoint[] = [];
    const lines: number[] = [];
    let failure: { readonly error: unknown } | undefined;
    for (let i = 0; i < this.length && failure === undefined; i++) {
      const error = this.#errorOf(i);
      if (error === undefined) {
        points.push({
          metric: this.#metricsOfPoints[i]!.handle!,
          timestamp: this.#times[i]!,
          value: this.#values[i]!,
        });
        lines.push(this.#lines[i]!);
        continue;
      }
      try {
        refuse(error, this.#lines[i]!);
      } catch (error) {
        failure = { error };
      }
    }
    this.dropFrom(0);
    if (points.length > 0) await this.#send(points, lines);
    if (failure !== undefined) throw failure.error;
  }

  /** Waits until all points passed to `write` are in the store. */
  async settle(): Promise<void> {
    while (this.#inFlight.length > 0) await this.#inFlight.shift();
  }

  async #send(points: readonly NewPoint[], lines: readonly number[]): Promise<void> {
    const file = this.#file;
    this.last = { file, line: lines.at(-1)! };
    const written = this.#series.write(points).then((result) => this.#count(result, file, lines));
    // The promise is awaited later. Until then, a failure must not count as an unhandled rejection.
    written.catch(() => {});
    this.#inFlight.push(written);
    while (this.#inFlight.length > MAX_IN_FLIGHT) await this.#inFlight.shift();
  }

  #count({ accepted, late, refused, firstRefused }: WriteResult, file: string, lines: readonly number[]): void {
    this.counts.accepted += accepted;
    this.counts.late += late;
    this.counts.refused += refused;
    if (firstRefused !== undefined) this.counts.firstRefused ??= { file, line: lines[firstRefused]! };
  }

  /** Returns the error if the store cannot hold a point; undefined if it can. */
  #errorOf(index: number): RecordError | undefined {
    const { handle, failure, metric } = this.#metricsOfPoints[index]!;
    if (failure !== undefined) return new RecordError(failure.code, failure.message);
    const value = this.#values[index]!;
    if (handle!.type === "int64") {
      if (typeof value === "bigint" || Number.isSafeInteger(value)) return undefined;
      const what = Number.isInteger(value) ? `may be rounded${INT64_ADVICE}` : "is not an integer";
      return new RecordError("ERR_SERIES_TYPE", `the metric ${metric.name} is int64, but the value ${value} ${what}`);
    }
    if (!this.#isInt64[index]) return undefined;
    return new RecordError("ERR_SERIES_TYPE", `the metric ${metric.name} is float, but the value ${value} is an int64`);
  }
}
