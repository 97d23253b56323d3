/** `stdvar` and `stddev`, by Welford's algorithm. */
import type { StepSeries } from "../series.js";

/** Adds series at each step. */
export class Variance {
  readonly #out: StepSeries;
  readonly #toResult: (variance: number) => number;
  readonly #means: Float64Array;
  readonly #counts: Float64Array;

  constructor(out: StepSeries, toResult: (variance: number) => number) {
    this.#out = out;
    this.#toResult = toResult;
    this.#means = new Float64Array(out.values.length);
    this.#counts = new Float64Array(out.values.length);
  }

  add({ values, present }: StepSeries): void {
    const { values: squares, present: has } = this.#out;
    const means = this.#means;
    const counts = this.#counts;
    for (let i = 0; i < present.length; i++) {
      if (present[i] === 0) continue;
      const value = values[i]!;
      const count = counts[i]! + 1;
      counts[i] = count;
      if (has[i] === 0) {
        has[i] = 1;
        means[i] = value;
        squares[i] = Number.isFinite(value) ? 0 : Number.NaN;
        continue;
      }
      const delta = value - means[i]!;
      means[i]! += delta / count;
      squares[i]! += delta * (value - means[i]!);
    }
  }

  finish(): void {
    const { values, present } = this.#out;
    for (let i = 0; i < values.length; i++)
      if (present[i] === 1) values[i] = this.#toResult(values[i]! / this.#counts[i]!);
  }
}
