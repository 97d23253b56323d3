/** The rows of many metrics in shared arrays: the memory of a selection's batches. All metrics have one type. */
import type { BatchMetrics, SelectedPoints, SelectedWindows } from "../api.js";
import type { Run } from "../blocks/run.js";
import { Values64 } from "../page/values.js";
import type { RegisteredMetric } from "../registry/registered-metric.js";
import { WindowAggregator } from "../window/aggregator.js";
import type { WindowPlan } from "../window/plan.js";
import { reverseValues } from "./batches.js";

/** Maximum number of rows, and of metrics, in a batch. */
const MAX_ROWS = 16_384;
const MAX_METRICS = 4096;
/** Number of points in the first batch. Full batches grow to the maximum. */
const FIRST_ROWS = 64;

/** Collects the rows of metrics, one after the other. */
export interface MetricRows<Batch> {
  /** Starts a metric. Returns false, and does nothing, if the batch is full. */
  next(metric: RegisteredMetric): boolean;
  /** Adds the points of a run from `i` on. Returns the position of the first one that did not fit; the run's end if all did. */
  add(run: Run, i: number): number;
  /** True if the metric needs no more points. */
  readonly isDone: boolean;
  /** Ends the metric. Returns false if the batch is full before that. */
  end(): boolean;
  /** Returns the rows since {@link clear}, which reuses their memory; undefined without metrics. */
  batch(): Batch | undefined;
  /** Starts a batch. It begins with the metric that is not at its end. */
  clear(): void;
}

/** The metrics of a batch, and where their rows start. */
class MetricList {
  #metrics: RegisteredMetric[] = [];
  readonly #starts = new Uint32Array(MAX_METRICS + 1);
  /** True if the last metric may get more rows. */
  isOpen = false;

  get isFull(): boolean {
    return this.#metrics.length === MAX_METRICS;
  }

  add(metric: RegisteredMetric, start: number): void {
    this.#starts[this.#metrics.length] = start;
    this.#metrics.push(metric);
    this.isOpen = true;
  }

  /** Returns the metrics and their offsets; undefined without metrics. */
  upTo(end: number): BatchMetrics | undefined {
    const n = this.#metrics.length;
    if (n === 0) return undefined;
    this.#starts[n] = end;
    return { metrics: this.#metrics, offsets: this.#starts.slice(0, n + 1) };
  }

  clear(): void {
    const open = this.#metrics.slice(-1);
    this.#metrics = this.isOpen ? open : [];
    this.#starts[0] = 0;
  }
}

/** The windows of metrics. */
export class WindowTable implements MetricRows<SelectedWindows> {
  readonly #list = new MetricList();
  /** The aggregator of the windows, for the base of `increase`. */
  readonly aggregator: WindowAggregator;

  constructor(plan: WindowPlan, isInt64: boolean) {
    this.aggregator = new WindowAggregator(plan, isInt64, MAX_ROWS);
  }

  next(metric: RegisteredMetric): boolean {
    if (this.#list.isFull) return false;
    this.aggregator.next();
    this.#list.add(metric, this.aggregator.length);
    return true;
  }

  get isDone(): boolean {
    return this.aggregator.isDone;
  }

  add(run: Run, i: number): number {
    return this.aggregator.addRun(run, i);
  }

  end(): boolean {
    if (!this.aggregator.end()) return false;
    this.#list.isOpen = false;
    return true;
  }

  batch(): SelectedWindows | undefined {
    const { aggregator } = this;
    const list = this.#list.upTo(aggregator.length);
    return list && { ...list, ...aggregator.batch() };
  }

  clear(): void {
    this.aggregator.clear();
    this.#list.clear();
  }
}

/** The type of the values in a table of points: that of its metrics, or numbers for metrics of both types. */
export type TableType = "float" | "int64" | "number";

/** The points that a table has of each metric. */
export interface PointChoice {
  readonly limit: number;
  /** True if the newest point comes first. */
  readonly reverse: boolean;
}

/** The points of metrics. `unit` is the unit of times in batches, in milliseconds. */
export class PointTable implements MetricRows<SelectedPoints> {
  readonly #list = new MetricList();
  readonly #type: TableType;
  readonly #unit: number;
  readonly #choice: PointChoice;
  /** True if the values of the last metric become numbers. */
  #isConverted = false;
  #times = new Float64Array(FIRST_ROWS);
  #values = new Values64(FIRST_ROWS);
  #length = 0;
  /** Points of the last metric that are not in the table yet. */
  #left = 0;

  constructor(type: TableType, unit: number, choice: PointChoice) {
    this.#type = type;
    this.#unit = unit;
    this.#choice = choice;
  }

  next(metric: RegisteredMetric): boolean {
    if (this.#list.isFull) return false;
    this.#list.add(metric, this.#length);
    this.#left = this.#choice.limit;
    this.#isConverted = this.#type === "number" && metric.type === "int64";
    return true;
  }

  get isDone(): boolean {
    return this.#left === 0;
  }

  add({ times, values, from, to }: Run, i: number): number {
    const n = Math.min(to - i, this.#left, this.#times.length - this.#length);
    const start = this.#length;
    const { reverse } = this.#choice;
    for (let k = 0; k < n; k++) this.#times[start + k] = times[reverse ? from + to - 1 - i - k : i + k]! / this.#unit;
    if (this.#isConverted) toNumbers(values, i, n, this.#values.floats, start);
    else if (reverse) reverseValues(values, from + to - i, n, this.#values, start);
    else this.#values.words.set(values.words.subarray(2 * i, 2 * (i + n)), 2 * start);
    this.#length += n;
    this.#left -= n;
    return this.isDone ? to : i + n;
  }

  end(): boolean {
    this.#list.isOpen = false;
    return true;
  }

  batch(): SelectedPoints | undefined {
    const length = this.#length;
    const list = this.#list.upTo(length);
    if (list === undefined) return undefined;
    const { floats, words } = this.#values;
    const values = this.#type === "int64" ? new BigInt64Array(words.buffer, 0, length) : floats.subarray(0, length);
    return { ...list, length, timestamps: this.#times.subarray(0, length), values };
  }

  clear(): void {
    const capacity = this.#times.length;
    if (this.#length === capacity && capacity < MAX_ROWS) {
      this.#times = new Float64Array(4 * capacity);
      this.#values = new Values64(4 * capacity);
    }
    this.#length = 0;
    this.#list.clear();
  }
}

/** Copies int64 values as numbers. */
function toNumbers({ words }: Values64, from: number, n: number, target: Float64Array, at: number): void {
  // Both parts are exact, so the sum is rounded once.
  for (let i = 0; i < n; i++) target[at + i] = words[2 * (from + i) + 1]! * 2 ** 32 + (words[2 * (from + i)]! >>> 0);
}
