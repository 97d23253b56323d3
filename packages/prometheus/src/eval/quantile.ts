/** Quantiles of values. */

/** The most values that are sorted by insertion, which takes less time than a call of `sort`. */
const FEW = 32;

/** Sorts the first `count` values in place, NaN first, as Prometheus sorts them. */
function sortValues(all: Float64Array, count: number): void {
  if (count <= FEW) {
    insert(all, count);
    return;
  }
  const values = all.subarray(0, count).sort();
  let missing = 0;
  while (missing < count && Number.isNaN(values[count - 1 - missing]!)) missing++;
  values.copyWithin(missing, 0, count - missing);
  values.fill(Number.NaN, 0, missing);
}

function insert(values: Float64Array, count: number): void {
  for (let i = 1; i < count; i++) {
    const value = values[i]!;
    let at = i;
    for (; at > 0 && !(values[at - 1]! <= value || Number.isNaN(values[at - 1]!)); at--) values[at] = values[at - 1]!;
    values[at] = value;
  }
}

/** Returns a quantile of the first `count` values, which are sorted in place; ±Inf for one that is not from 0 to 1. */
export function quantileOf(quantile: number, values: Float64Array, count: number): number {
  if (count === 0 || Number.isNaN(quantile)) return Number.NaN;
  if (quantile < 0) return Number.NEGATIVE_INFINITY;
  if (quantile > 1) return Number.POSITIVE_INFINITY;
  sortValues(values, count);
  const rank = quantile * (count - 1);
  const lower = Math.floor(rank);
  const weight = rank - lower;
  return values[lower]! * (1 - weight) + values[Math.min(count - 1, lower + 1)]! * weight;
}

/** True for a quantile that is from 0 to 1. */
export function isQuantile(quantile: number): boolean {
  return quantile >= 0 && quantile <= 1;
}
