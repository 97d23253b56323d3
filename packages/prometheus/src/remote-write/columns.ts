/** The samples of a request in typed arrays that grow. */
import { MoonpackError } from "moonpack/bytes";

/** The most samples of a request: 32 MiB hold fewer, unless they have no timestamp. */
const MAX_SAMPLES = 2 ** 22;
/** The words of the NaN that ends a series: model/value/value.go of Prometheus, StaleNaN. */
const STALE_HIGH = 0x7ff00000;
const STALE_LOW = 2;

/** Timestamps, values and markers. */
export class Columns {
  timestamps = new Float64Array(64);
  values = new Float64Array(64);
  stale = new Uint8Array(64);
  size = 0;

  /** Adds a sample. `at` is the place of its value in `view`; -1 stands for 0. */
  add(timestamp: number, view: DataView, at: number): void {
    const i = this.size;
    if (i === this.timestamps.length) this.#grow();
    // By its words: engines may turn one NaN into another when they read it as a number.
    const isStale = at >= 0 && view.getUint32(at + 4, true) === STALE_HIGH && view.getUint32(at, true) === STALE_LOW;
    this.timestamps[i] = timestamp;
    this.values[i] = isStale ? Number.NaN : at < 0 ? 0 : view.getFloat64(at, true);
    this.stale[i] = isStale ? 1 : 0;
    this.size++;
  }

  #grow(): void {
    if (this.size >= MAX_SAMPLES)
      throw new MoonpackError("ERR_LIMIT_ELEMENTS", `a request has more than ${MAX_SAMPLES} samples`);
    const { timestamps, values, stale } = this;
    const length = 2 * this.size;
    this.timestamps = new Float64Array(length);
    this.values = new Float64Array(length);
    this.stale = new Uint8Array(length);
    this.timestamps.set(timestamps);
    this.values.set(values);
    this.stale.set(stale);
  }
}
