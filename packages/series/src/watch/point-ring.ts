/** The last points that were added: a ring in typed arrays, 20 bytes a point. It grows up to its limit. */
import { Values64 } from "../page/values.js";

const FIRST = 256;

/** See above. */
export class PointRing {
  readonly #limit: number;
  #ids: Uint32Array;
  #times: Float64Array;
  #values: Values64;
  /** The place of the oldest point. */
  #start = 0;
  length = 0;

  constructor(limit: number) {
    this.#limit = limit;
    const capacity = Math.min(limit, FIRST);
    this.#ids = new Uint32Array(capacity);
    this.#times = new Float64Array(capacity);
    this.#values = new Values64(capacity);
  }

  /** Adds value `i` of an array. Returns false if the oldest point had to be removed. */
  push(id: number, time: number, { words }: Values64, i: number): boolean {
    const isFull = this.length === this.#limit;
    if (isFull) this.skip();
    else if (this.length === this.#ids.length) this.#grow();
    const at = this.#place(this.length++);
    this.#ids[at] = id;
    this.#times[at] = time;
    this.#values.words[2 * at] = words[2 * i]!;
    this.#values.words[2 * at + 1] = words[2 * i + 1]!;
    return !isFull;
  }

  /** Removes the oldest point. */
  skip(): void {
    this.#start = this.#place(1);
    this.length--;
  }

  /** The metric of the oldest point. */
  get id(): number {
    return this.#ids[this.#start]!;
  }

  /** The time of the oldest point. */
  get time(): number {
    return this.#times[this.#start]!;
  }

  /** Returns the value of the oldest point. */
  value(isInt64: boolean): number | bigint {
    const { floats } = this.#values;
    return isInt64 ? new BigInt64Array(floats.buffer, 8 * this.#start, 1)[0]! : floats[this.#start]!;
  }

  #place(i: number): number {
    const at = this.#start + i;
    return at < this.#ids.length ? at : at - this.#ids.length;
  }

  #grow(): void {
    const [ids, times, { words }, start, n] = [this.#ids, this.#times, this.#values, this.#start, this.length];
    const capacity = Math.min(2 * n, this.#limit);
    this.#ids = new Uint32Array(capacity);
    this.#times = new Float64Array(capacity);
    this.#values = new Values64(capacity);
    this.#start = 0;
    this.#ids.set(ids.subarray(start));
    this.#ids.set(ids.subarray(0, start), n - start);
    this.#times.set(times.subarray(start));
    this.#times.set(times.subarray(0, start), n - start);
    this.#values.words.set(words.subarray(2 * start));
    this.#values.words.set(words.subarray(0, 2 * start), 2 * (n - start));
  }
}
