/** Points of one metric in a minute or an hour. */
import { Values64 } from "./values.js";

/** Number of metrics with neighbouring ids in a group: the head finds points by group and minute. */
export const SLOTS = 16;

/** Points of one metric. Times ascend strictly. */
export class PagePoints {
  /** The times, in milliseconds after the start of the minute, or of the hour. */
  times = new Int32Array(64);
  /** The values. */
  values = new Values64(64);
  /** Number of points. */
  length = 0;
  /** True if the values are int64. */
  isInt64 = false;

  /** Makes room for `n` points. Existing points stay. */
  reserve(n: number): void {
    if (n <= this.times.length) return;
    const capacity = Math.max(n, 2 * this.times.length);
    const times = new Int32Array(capacity);
    const values = new Values64(capacity);
    times.set(this.times.subarray(0, this.length));
    values.words.set(this.values.words.subarray(0, 2 * this.length));
    this.times = times;
    this.values = values;
  }

  /** Makes these points a copy of others. */
  copyFrom({ times, values, length, isInt64 }: PagePoints): void {
    this.length = 0;
    this.reserve(length);
    this.times.set(times.subarray(0, length));
    this.values.words.set(values.words.subarray(0, 2 * length));
    this.length = length;
    this.isInt64 = isInt64;
  }
}
