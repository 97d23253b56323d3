/** `avg`: a sum divided by the count; a running mean from where the sum would overflow. */
import type { StepSeries } from "../series.js";

/** Adds series at each step. */
export class Mean {
  readonly #out: StepSeries;
  readonly #rest: Float64Array;
  readonly #counts: Float64Array;
  /** 1 for steps with a running mean. */
  readonly #running: Uint8Array;

  constructor(out: StepSeries) {
    this.#out = out;
    this.#rest = new Float64Array(out.values.length);
    this.#counts = new Float64Array(out.values.length);
    this.#running = new Uint8Array(out.values.length);
  }

  add({ values, present }: StepSeries): void {
    const { values: sums, present: has } = this.#out;
    const counts = this.#counts;
    for (let i = 0; i < present.length; i++) {
      if (present[i] === 0) continue;
      counts[i]!++;
      if (has[i] === 0) {
        has[i] = 1;
        sums[i] = values[i]!;
      } else if (this.#running[i] === 1 || Math.abs(sums[i]! + values[i]!) === Number.POSITIVE_INFINITY)
        this.#addToMean(i, values[i]!);
      else this.#addToSum(i, values[i]!);
    }
  }

  finish(): void {
    const { values, present } = this.#out;
    for (let i = 0; i < values.length; i++) {
      if (present[i] === 0) continue;
      const count = this.#counts[i]!;
      values[i] = this.#running[i] === 1 ? values[i]! + this.#rest[i]! : values[i]! / count + this.#rest[i]! / count;
    }
  }

  #addToMean(i: number, value: number): void {
    const { values } = this.#out;
    const count = this.#counts[i]!;
    if (this.#running[i] === 0) {
      this.#running[i] = 1;
      values[i]! /= count - 1;
      this.#rest[i]! /= count - 1;
    }
    const share = (count - 1) / count;
    values[i]! *= share;
    this.#rest[i]! *= share;
    this.#addToSum(i, value / count);
  }

  #addToSum(i: number, value: number): void {
    const { values } = this.#out;
    const sum = values[i]!;
    const next = sum + value;
    if (Math.abs(next) === Number.POSITIVE_INFINITY) this.#rest[i] = 0;
    else this.#rest[i]! += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
    values[i] = next;
  }
}
