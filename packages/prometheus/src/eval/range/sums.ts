/** Sums, means and variances of ranges. */
import { KahanSum } from "../kahan.js";
import type { RangeFunction, Window } from "./window.js";

/** Returns a function that reads all samples of the range. */
export function reading(
  value: (window: Window) => number,
  least: 1 | 2 = 1,
  cost: RangeFunction["cost"] = 1,
): RangeFunction {
  return { least, cost, value };
}

/** `sum_over_time`. */
export function sumOf({ values, low, high }: Window): number {
  const sum = new KahanSum();
  for (let i = low; i < high; i++) sum.add(values[i]!);
  return sum.total;
}

/** `avg_over_time`: the mean becomes a running one when the sum overflows. */
export function meanOf({ values, low, high }: Window): number {
  const sum = new KahanSum();
  sum.sum = values[low]!;
  let isRunning = false;
  for (let i = low + 1; i < high; i++) {
    const count = i - low + 1;
    if (!isRunning) {
      const { sum: before, rest } = sum;
      sum.add(values[i]!);
      if (Math.abs(sum.sum) !== Number.POSITIVE_INFINITY) continue;
      isRunning = true;
      sum.sum = before / (count - 1);
      sum.rest = rest / (count - 1);
    }
    const share = (count - 1) / count;
    sum.sum *= share;
    sum.rest *= share;
    sum.add(values[i]! / count);
  }
  return isRunning ? sum.total : sum.sum / (high - low) + sum.rest / (high - low);
}

/** `stdvar_over_time`. */
export function varianceOf({ values, low, high }: Window): number {
  const mean = new KahanSum();
  const squares = new KahanSum();
  for (let i = low; i < high; i++) {
    const delta = values[i]! - mean.total;
    mean.add(delta / (i - low + 1));
    squares.add(delta * (values[i]! - mean.total));
  }
  return squares.total / (high - low);
}
