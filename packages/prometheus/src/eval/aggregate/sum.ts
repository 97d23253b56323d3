/** `sum`, with Kahan's compensation at each step. */
import type { StepSeries } from "../series.js";

/** Adds series at each step. */
export class Sum {
  readonly #out: StepSeries;
  readonly #rest: Float64Array;

  constructor(out: StepSeries) {
    this.#out = out;
    this.#rest = new Float64Array(out.values.length);
  }

  add({ values, present }: StepSeries): void {
    const { values: sums, present: has } = this.#out;
    const rest = this.#rest;
    for (let i = 0; i < present.length; i++) {
      if (present[i] === 0) continue;
      const value = values[i]!;
      if (has[i] === 0) {
        has[i] = 1;
        sums[i] = value;
        continue;
      }
      const sum = sums[i]!;
      const next = sum + value;
      if (next === Number.POSITIVE_INFINITY || next === Number.NEGATIVE_INFINITY) rest[i] = 0;
      else rest[i]! += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
      sums[i] = next;
    }
  }

  finish(): void {
    const { values } = this.#out;
    for (let i = 0; i < values.length; i++) values[i]! += this.#rest[i]!;
  }
}
