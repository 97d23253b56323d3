/** Points of the head in memory that each copy of a metric's points reuses. */
import { Values64 } from "../page/values.js";

/** Points of a metric by ascending time. Times are milliseconds. */
export class HeadPoints {
  times = new Float64Array(64);
  values = new Values64(64);
  length = 0;
  isInt64 = false;

  /** Makes room for `n` points. The first `kept` ones stay. */
  reserve(kept: number, n: number): void {
    if (n <= this.times.length) return;
    const times = new Float64Array(2 * n);
    const values = new Values64(2 * n);
    times.set(this.times.subarray(0, kept));
    values.words.set(this.values.words.subarray(0, 2 * kept));
    this.times = times;
    this.values = values;
  }
}
