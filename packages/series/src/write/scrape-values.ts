/** A copy of the values of a scrape or a column, since the caller may reuse its memory when the call returns. */
import type { Values } from "../api.js";
import { Values64, withRoom } from "../page/values.js";

const CANONICAL_NAN_HIGH = 0x7ff80000;

/** Copies values. The copy is valid until the next one. */
export class ScrapeValues {
  #values = new Values64(64);
  #ids = new Uint32Array(64);

  get values(): Values64 {
    return this.#values;
  }

  /** Copies values, with a uniform NaN. Returns their number. */
  copy(values: Values): number {
    const n = values.length;
    this.#values = withRoom(this.#values, n);
    const { words } = this.#values;
    words.set(new Int32Array(values.buffer, values.byteOffset, 2 * n));
    if (values instanceof BigInt64Array) return n;
    for (let i = 0; i < n; i++) {
      const value = values[i]!;
      if (!Number.isNaN(value)) continue;
      words[2 * i] = 0;
      words[2 * i + 1] = CANONICAL_NAN_HIGH;
    }
    return n;
  }

  /** Removes NaN from the first `n` values of a copy, and their metrics from the ids. */
  withoutNaN(n: number, ids: Uint32Array | number): { n: number; ids: Uint32Array | number } {
    if (this.#ids.length < n) this.#ids = new Uint32Array(this.#values.capacity);
    const { floats } = this.#values;
    let count = 0;
    for (let i = 0; i < n; i++) {
      const value = floats[i]!;
      if (Number.isNaN(value)) continue;
      this.#ids[count] = typeof ids === "number" ? ids + i : ids[i]!;
      floats[count] = value;
      count++;
    }
    return count === n ? { n, ids } : { n: count, ids: this.#ids };
  }
}
