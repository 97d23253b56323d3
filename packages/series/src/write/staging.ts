/** Checked and copied points of one call, before they are added to the log and the head. */
import { MoonpackError } from "moonpack/bytes";
import type { MetricRef } from "../api.js";
import { SeriesError } from "../errors.js";
import { Values64 } from "../page/values.js";
import { END_OF_MINUTES } from "../page/weeks.js";

const FIRST = 256;
/** Larger arrays are not reused for the next call. */
const MAX_REUSED = 131_072;
/** The upper bound of times, exclusive. */
export const END_OF_TIME = END_OF_MINUTES * 60_000;
const CANONICAL_NAN_HIGH = 0x7ff80000;

/** Points of metrics of one type. */
export class StagedPoints {
  ids: Uint32Array;
  times: Float64Array;
  values: Values64;
  /** The index of each point in the caller's list. */
  indices: Int32Array;
  length = 0;

  constructor(capacity = FIRST) {
    this.ids = new Uint32Array(capacity);
    this.times = new Float64Array(capacity);
    this.values = new Values64(capacity);
    this.indices = new Int32Array(capacity);
  }

  /** Copies the first `n` values of metrics at one time. */
  static ofScrape(time: number, ids: Uint32Array | number, n: number, values: Values64): StagedPoints {
    const staged = new StagedPoints(n);
    staged.length = n;
    staged.times.fill(time);
    staged.values.words.set(values.words.subarray(0, 2 * n));
    for (let i = 0; i < n; i++) {
      staged.ids[i] = typeof ids === "number" ? ids + i : ids[i]!;
      staged.indices[i] = i;
    }
    return staged;
  }

  /** Makes room for this number of points. */
  reserve(capacity: number): void {
    const { ids, times, values, indices } = this;
    if (capacity <= ids.length) return;
    this.ids = new Uint32Array(capacity);
    this.times = new Float64Array(capacity);
    this.values = new Values64(capacity);
    this.indices = new Int32Array(capacity);
    this.ids.set(ids);
    this.times.set(times);
    this.values.words.set(values.words);
    this.indices.set(indices);
  }

  addFloat(id: number, time: number, value: number, index: number): void {
    const i = this.#add(id, time, index);
    // All NaN are stored with the same bits.
    if (!Number.isNaN(value)) this.values.floats[i] = value;
    else {
      this.values.words[2 * i] = 0;
      this.values.words[2 * i + 1] = CANONICAL_NAN_HIGH;
    }
  }

  addInt64(id: number, time: number, low: number, high: number, index: number): void {
    const i = this.#add(id, time, index);
    this.values.words[2 * i] = low;
    this.values.words[2 * i + 1] = high;
  }

  #add(id: number, time: number, index: number): number {
    if (this.length === this.ids.length) this.reserve(2 * this.length);
    const i = this.length++;
    this.ids[i] = id;
    this.times[i] = time;
    this.indices[i] = index;
    return i;
  }

  /** Removes points for which `keep` is false. The order does not change. */
  filter(keep: (time: number, id: number) => boolean, dropped: (index: number) => void): void {
    const { ids, times, indices } = this;
    const { words } = this.values;
    let count = 0;
    for (let i = 0; i < this.length; i++) {
      if (!keep(times[i]!, ids[i]!)) {
        dropped(indices[i]!);
        continue;
      }
      ids[count] = ids[i]!;
      times[count] = times[i]!;
      indices[count] = indices[i]!;
      words[2 * count] = words[2 * i]!;
      words[2 * count + 1] = words[2 * i + 1]!;
      count++;
    }
    this.length = count;
  }

  /** Removes all points, and memory that only a large call needed. */
  clear(): void {
    this.length = 0;
    if (this.ids.length <= MAX_REUSED) return;
    this.ids = new Uint32Array(FIRST);
    this.times = new Float64Array(FIRST);
    this.values = new Values64(FIRST);
    this.indices = new Int32Array(FIRST);
  }
}

/** The two words of an int64. */
export class Int64Words {
  readonly #bigints = new BigInt64Array(1);
  readonly #words = new Int32Array(this.#bigints.buffer);
  low = 0;
  high = 0;

  /** Converts a bigint or a safe integer. Throws `ERR_OUT_OF_RANGE` for any other value. */
  set(value: number | bigint, metric: MetricRef): void {
    if (typeof value === "number") {
      if (!Number.isSafeInteger(value))
        throw new MoonpackError(
          "ERR_OUT_OF_RANGE",
          `${value} is not a safe integer (metric ${quoted(metric)} is int64)`,
        );
      this.low = value | 0;
      this.high = Math.floor(value / 2 ** 32);
      return;
    }
    if (typeof value !== "bigint") throw notANumber(value, metric);
    this.#bigints[0] = value;
    if (this.#bigints[0] !== value)
      throw new MoonpackError("ERR_OUT_OF_RANGE", `${value} is not an int64 (metric ${quoted(metric)})`);
    this.low = this.#words[0]!;
    this.high = this.#words[1]!;
  }
}

/** Checks the value of a float metric. */
export function checkFloat(value: unknown, metric: MetricRef): asserts value is number {
  if (typeof value === "number") return;
  if (typeof value === "bigint")
    throw new SeriesError("ERR_SERIES_TYPE", `metric ${quoted(metric)} is float; a bigint is a value for int64`);
  throw notANumber(value, metric);
}

/** Checks that a value is valid for at least one type of metric. */
export function checkNumber(value: unknown, metric: MetricRef): asserts value is number | bigint {
  if (typeof value !== "number" && typeof value !== "bigint") throw notANumber(value, metric);
}

function notANumber(value: unknown, metric: MetricRef): MoonpackError {
  return new MoonpackError(
    "ERR_INVALID_ARGUMENT",
    `a value of metric ${quoted(metric)} is ${value === null ? "null" : `of type ${typeof value}`}, not a number`,
  );
}

/** Returns the name of a metric for error texts. */
export function quoted({ name }: MetricRef): string {
  return JSON.stringify(name);
}

/** Converts a timestamp to milliseconds. Throws `ERR_OUT_OF_RANGE` unless it is an integer from 0 to the upper bound of times. */
export function milliseconds(timestamp: number, unit: number): number {
  if (Number.isInteger(timestamp)) {
    const time = timestamp * unit;
    if (time >= 0 && time < END_OF_TIME) return time;
  }
  throw new MoonpackError(
    "ERR_OUT_OF_RANGE",
    `${String(timestamp)} is not a timestamp: an integer from 0 to ${END_OF_TIME / unit - 1}`,
  );
}
