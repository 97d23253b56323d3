/** The least and the greatest sample of a range, quantiles and deviations from the median. */
import { quantileOf } from "../quantile.js";
import { reading } from "./sums.js";
import type { RangeFunction } from "./window.js";

/** Returns `max_over_time` or `min_over_time`. */
export function extreme(isMax: boolean): RangeFunction {
  return reading(({ values, low, high }) => {
    let best = values[low]!;
    for (let i = low + 1; i < high; i++) {
      const value = values[i]!;
      if ((isMax ? value > best : value < best) || Number.isNaN(best)) best = value;
    }
    return best;
  });
}

/** Returns `ts_of_max_over_time` or `ts_of_min_over_time`: the time of the last one, in seconds. */
export function timeOfExtreme(isMax: boolean): RangeFunction {
  return reading(({ timestamps, values, low, high }) => {
    let best = low;
    for (let i = low; i < high; i++) {
      const value = values[i]!;
      if ((isMax ? value >= values[best]! : value <= values[best]!) || Number.isNaN(values[best]!)) best = i;
    }
    return timestamps[best]! / 1000;
  });
}

/** Returns `quantile_over_time`; the quantile of each step is in `quantiles`. */
export function quantileOver(quantiles: Float64Array, onWrong: (quantile: number) => void): RangeFunction {
  const copied = copier();
  return reading(
    ({ values, low, high, step }) => {
      const quantile = quantiles[step]!;
      if (!(quantile >= 0 && quantile <= 1)) onWrong(quantile);
      return quantileOf(quantile, copied(values, low, high), high - low);
    },
    1,
    4,
  );
}

/** Returns `mad_over_time`: the median of the deviations from the median. */
export function medianDeviation(): RangeFunction {
  const copied = copier();
  return reading(
    ({ values, low, high }) => {
      const count = high - low;
      const copy = copied(values, low, high);
      const median = quantileOf(0.5, copy, count);
      // Values that are not numbers are the first ones now.
      if (Number.isNaN(copy[0]!)) return Number.NaN;
      for (let i = 0; i < count; i++) copy[i] = Math.abs(copy[i]! - median);
      return quantileOf(0.5, copy, count);
    },
    1,
    4,
  );
}

/** Returns a function that copies the samples of a range into memory that is used again. */
function copier(): (values: Float64Array, low: number, high: number) => Float64Array {
  let copy = new Float64Array(64);
  return (values, low, high) => {
    if (copy.length < high - low) copy = new Float64Array(2 * (high - low));
    for (let i = low; i < high; i++) copy[i - low] = values[i]!;
    return copy;
  };
}
