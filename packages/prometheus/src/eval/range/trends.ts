/** Trends of ranges: `deriv`, `predict_linear` and `double_exponential_smoothing`. */
import { PrometheusError } from "../../errors.js";
import { KahanSum } from "../kahan.js";
import { reading } from "./sums.js";
import type { RangeFunction, Window } from "./window.js";

/** `deriv`: the slope, in units a second. */
export function slopeOf(window: Window): number {
  // Times near the samples keep the sums exact.
  return regression(window, window.timestamps[window.low]!).slope;
}

/** Returns `predict_linear`; the seconds of each step are in `seconds`. */
export function predicting(seconds: Float64Array): RangeFunction {
  return reading(
    (window) => {
      const { slope, intercept } = regression(window, window.time);
      return slope * seconds[window.step]! + intercept;
    },
    2,
    2,
  );
}

/** The line through the samples with the least squares: its slope a second, and its value at a time. */
function regression({ timestamps, values, low, high }: Window, time: number): { slope: number; intercept: number } {
  const first = values[low]!;
  let isFlat = true;
  const x = new KahanSum();
  const y = new KahanSum();
  const xy = new KahanSum();
  const xx = new KahanSum();
  for (let i = low; i < high; i++) {
    const value = values[i]!;
    if (i > low && value !== first) isFlat = false;
    const seconds = (timestamps[i]! - time) / 1000;
    x.add(seconds);
    y.add(value);
    xy.add(seconds * value);
    xx.add(seconds * seconds);
  }
  if (isFlat) return Math.abs(first) === Number.POSITIVE_INFINITY ? NO_LINE : { slope: 0, intercept: first };
  const count = high - low;
  const slope = (xy.total - (x.total * y.total) / count) / (xx.total - (x.total * x.total) / count);
  return { slope, intercept: y.total / count - (slope * x.total) / count };
}

const NO_LINE = { slope: Number.NaN, intercept: Number.NaN };

/** Returns `double_exponential_smoothing`. Throws `ERR_PROMQL_EXECUTION` for factors that are not between 0 and 1. */
export function smoothing(factors: Float64Array, trends: Float64Array): RangeFunction {
  const value = ({ values, low, high, step }: Window): number => {
    const factor = checkFactor("smoothing", "sf", factors[step]!);
    const trend = checkFactor("trend", "tf", trends[step]!);
    let before = 0;
    let smooth = values[low]!;
    let slope = values[low + 1]! - values[low]!;
    for (let i = low + 1; i < high; i++) {
      if (i > low + 1) slope = trend * (smooth - before) + (1 - trend) * slope;
      const next = factor * values[i]! + (1 - factor) * (smooth + slope);
      before = smooth;
      smooth = next;
    }
    return smooth;
  };
  return reading(value, 2);
}

function checkFactor(name: string, symbol: string, factor: number): number {
  if (!(factor <= 0 || factor >= 1)) return factor;
  const text = `invalid ${name} factor. Expected: 0 < ${symbol} < 1, got: ${factor.toFixed(6)}`;
  throw new PrometheusError("ERR_PROMQL_EXECUTION", text);
}
