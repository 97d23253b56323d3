/** Functions of ranges that count samples, or return one of them: they take the same time for any number of samples. */
import type { RangeFunction, Window } from "./window.js";

/** Returns a function that needs the borders of the range only. */
export function constant(value: (window: Window) => number): RangeFunction {
  return { least: 1, cost: 0, value };
}

/** Returns a function that counts the pairs of neighbours with a property: `changes` and `resets`. */
export function countingPairs(isCounted: (before: number, value: number) => boolean): RangeFunction {
  let counts = new Uint32Array(0);
  return {
    least: 1,
    cost: 0,
    /** Counts the pairs up to each sample. */
    begin({ values }) {
      counts = new Uint32Array(values.length);
      for (let i = 1; i < values.length; i++)
        counts[i] = counts[i - 1]! + (isCounted(values[i - 1]!, values[i]!) ? 1 : 0);
    },
    value: ({ low, high }) => counts[high - 1]! - counts[low]!,
  };
}

/** True if a counter was reset. */
export function isReset(before: number, value: number): boolean {
  return value < before;
}

/** True if a value changed; NaN equals NaN. */
export function isChange(before: number, value: number): boolean {
  return value !== before && !(Number.isNaN(value) && Number.isNaN(before));
}
