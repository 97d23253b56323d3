/** Quantiles of values. */

/** The most values that are sorted by insertion, which takes less time than a call of `sort`. */
const FEW = 32;

/** Sorts the first `count` values in place, NaN first, as Prometheus sorts them. */
function insert(values: Float64Array, count: number): void {
  for (let i = 1; i < count; i++) {
    const value = values[i]!;
    let at = i;
    for (; at > 0 && !(values[at - 1]! <= value || Number.isNaN(values[at - 1]!)); at--) values[at] = values[at - 1]!;
    values[at] = value;
  }
}

/**
 * Moves values so that the one at index `k` is the one that a sort would move there, with smaller ones before it and greater ones after
 * it: Hoare's quickselect. NaN comes first. It takes time linear in `count`, where a sort of a million values takes 100 ms.
 */
function select(values: Float64Array, count: number, k: number): void {
  let low = 0;
  for (let i = 0; i < count; i++) if (Number.isNaN(values[i]!)) swap(values, i, low++);
  let high = count - 1;
  let seed = count;
  while (low <= k && low < high) {
    // A pivot by chance: no order of samples makes it slow.
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    const pivot = values[low + Math.floor((seed / 2 ** 32) * (high - low + 1))]!;
    let i = low;
    let j = high;
    while (i <= j) {
      while (values[i]! < pivot) i++;
      while (values[j]! > pivot) j--;
      if (i <= j) swap(values, i++, j--);
    }
    if (k > j && k < i) return;
    if (k <= j) high = j;
    else low = i;
  }
}

function swap(values: Float64Array, i: number, j: number): void {
  const value = values[i]!;
  values[i] = values[j]!;
  values[j] = value;
}

/** Returns the least of the values from `from` up to `to`. */
function leastOf(values: Float64Array, from: number, to: number): number {
  let least = values[from]!;
  for (let i = from + 1; i < to; i++) if (values[i]! < least) least = values[i]!;
  return least;
}

/** Returns a quantile of the first `count` values, which change their places, NaN first; ±Inf for one that is not from 0 to 1. */
export function quantileOf(quantile: number, values: Float64Array, count: number): number {
  if (count === 0 || Number.isNaN(quantile)) return Number.NaN;
  if (quantile < 0) return Number.NEGATIVE_INFINITY;
  if (quantile > 1) return Number.POSITIVE_INFINITY;
  const rank = quantile * (count - 1);
  const lower = Math.floor(rank);
  const upper = Math.min(count - 1, lower + 1);
  const weight = rank - lower;
  if (count <= FEW) insert(values, count);
  else select(values, count, lower);
  return values[lower]! * (1 - weight) + (upper === lower ? values[lower]! : leastOf(values, upper, count)) * weight;
}

/** True for a quantile that is from 0 to 1. */
export function isQuantile(quantile: number): boolean {
  return quantile >= 0 && quantile <= 1;
}
