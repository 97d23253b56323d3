/** The aggregates of one window of floats. NaN counts in `count`, `first` and `last` only. */

import type { SummedPoints } from "../blocks/summary-cursor.js";
import type { RowTarget } from "./columns.js";
import { FloatSum } from "./float-sum.js";
import { PercentileValues } from "./percentiles.js";
import type { Needs, PointValues, WindowState } from "./state.js";

/** The state of a window of floats. */
export class FloatWindow implements WindowState {
  readonly #needs: Needs;
  readonly #order = new PercentileValues();
  readonly #sum = new FloatSum();
  #count = 0;
  #first = 0;
  #last = 0;
  /** Greater than #max until there is a number. */
  #min = Infinity;
  #max = -Infinity;
  #steps = 0;
  #increase = 0;
  /** The number before the next point; NaN without one. */
  #previous = Number.NaN;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  add({ floats }: PointValues, i: number, j: number): void {
    const needs = this.#needs;
    if (this.#count === 0) this.#first = floats[i]!;
    this.#last = floats[j - 1]!;
    this.#count += j - i;
    if (needs.sum) this.#sum.add(floats, i, j);
    if (needs.extremes) this.#addExtremes(floats, i, j);
    if (needs.steps) this.#addSteps(floats, i, j);
    if (needs.order) this.#order.addFloats(floats, i, j);
  }

  addSummed({ summaries, place, count }: SummedPoints): void {
    const { first, last, min, max, sum, rest, nans } = summaries;
    if (this.#count === 0) this.#first = first.floats[place]!;
    this.#last = last.floats[place]!;
    this.#count += count;
    this.#sum.addSum(sum.floats[place]!, rest.floats[place]!, count - nans[place]!);
    if (min.floats[place]! < this.#min) this.#min = min.floats[place]!;
    if (max.floats[place]! > this.#max) this.#max = max.floats[place]!;
  }

  startAfter({ floats }: PointValues, i: number): void {
    if (!Number.isNaN(floats[i]!)) this.#previous = floats[i]!;
  }

  #addExtremes(floats: Float64Array, i: number, j: number): void {
    let min = this.#min;
    let max = this.#max;
    // Comparisons with NaN are false.
    for (; i < j; i++) {
      const value = floats[i]!;
      if (value < min) min = value;
      if (value > max) max = value;
    }
    this.#min = min;
    this.#max = max;
  }

  #addSteps(floats: Float64Array, i: number, j: number): void {
    let previous = this.#previous;
    let increase = this.#increase;
    let steps = this.#steps;
    for (; i < j; i++) {
      const value = floats[i]!;
      if (Number.isNaN(value)) continue;
      if (!Number.isNaN(previous)) {
        // A decrease is a counter that was reset to 0.
        increase += value < previous ? value : value - previous;
        steps++;
      }
      previous = value;
    }
    this.#previous = previous;
    this.#increase = increase;
    this.#steps = steps;
  }

  write(target: RowTarget, row: number, seconds: number): void {
    const { aggregates } = this.#needs;
    for (let k = 0; k < aggregates.length; k++) {
      const { kind, percent } = aggregates[k]!;
      const value = kind === "percentile" ? this.#order.percentile(percent) : this.#value(kind, seconds);
      if (value === undefined) target.setNull(k, row);
      else target.values[k]!.floats[row] = value;
    }
  }

  /** Returns an aggregate: NaN without numbers; undefined for an increase from an unknown value. */
  #value(kind: string, seconds: number): number | undefined {
    switch (kind) {
      case "count":
        return this.#count;
      case "first":
        return this.#first;
      case "last":
        return this.#last;
      case "min":
        return this.#min <= this.#max ? this.#min : Number.NaN;
      case "max":
        return this.#min <= this.#max ? this.#max : Number.NaN;
      case "sum":
        return this.#sum.count === 0 ? Number.NaN : this.#sum.total;
      case "avg":
        return this.#sum.count === 0 ? Number.NaN : this.#sum.mean;
      case "increase":
        return this.#steps === 0 ? undefined : this.#increase;
      default:
        return this.#steps === 0 ? undefined : this.#increase / seconds;
    }
  }

  restart(): void {
    this.clear();
    this.#previous = Number.NaN;
  }

  clear(): void {
    this.#count = 0;
    this.#sum.clear();
    this.#min = Infinity;
    this.#max = -Infinity;
    this.#steps = 0;
    this.#increase = 0;
    this.#order.clear();
  }
}
