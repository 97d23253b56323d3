/** `rate`, `increase` and `delta`: the difference in a range, extrapolated to its borders. */
import type { RangeFunction, Window } from "./window.js";

/**
 * Returns the function. For counters the resets are found once a series, so that a step takes the same time for any number of
 * samples: only the resets within the range are added, in the order in which Prometheus adds them.
 */
export function extrapolated(isCounter: boolean, isRate: boolean, range: number): RangeFunction {
  let resets: number[] = [];
  let nextReset = 0;
  const begin = ({ values }: Window): void => {
    resets = [];
    nextReset = 0;
    for (let i = 1; i < values.length; i++) if (values[i]! < values[i - 1]!) resets.push(i);
  };
  const value = (window: Window): number => {
    const { timestamps, values, low, high, from, to } = window;
    const last = high - 1;
    const first = values[low]!;
    let difference = values[last]! - first;
    if (isCounter) {
      while (nextReset < resets.length && resets[nextReset]! <= low) nextReset++;
      for (let i = nextReset; i < resets.length && resets[i]! < high; i++) difference += values[resets[i]! - 1]!;
    }
    const sampled = (timestamps[last]! - timestamps[low]!) / 1000;
    const gap = sampled / (last - low);
    const threshold = gap * 1.1;
    let toStart = (timestamps[low]! - from) / 1000;
    if (toStart >= threshold) toStart = gap / 2;
    // A counter is not extrapolated below zero.
    if (isCounter && difference > 0 && first >= 0) {
      const toZero = sampled * (first / difference);
      if (toZero < toStart) toStart = toZero;
    }
    let toEnd = (to - timestamps[last]!) / 1000;
    if (toEnd >= threshold) toEnd = gap / 2;
    const factor = (sampled + toStart + toEnd) / sampled;
    return difference * (isRate ? factor / (range / 1000) : factor);
  };
  return isCounter ? { least: 2, cost: 0, begin, value } : { least: 2, cost: 0, value };
}

/** Returns `irate` or `idelta`: the difference of the last two samples. */
export function lastDifference(isRate: boolean): RangeFunction {
  return {
    least: 2,
    cost: 0,
    value({ timestamps, values, high }) {
      const last = values[high - 1]!;
      const before = values[high - 2]!;
      if (!isRate) return last - before;
      const seconds = (timestamps[high - 1]! - timestamps[high - 2]!) / 1000;
      return (last < before ? last : last - before) / seconds;
    },
  };
}
