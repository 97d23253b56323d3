import { geometricMean, median, quantileSorted } from "simple-statistics";

/** A median with its spread. */
export interface Summary {
  readonly median: number;
  /** First and third quartile over all rounds of all processes. */
  readonly low: number;
  readonly high: number;
  /** The median of each process. If these differ by more than the quartiles, the machine was busy. */
  readonly processes: readonly number[];
}

/** Combines the rounds of several processes. */
export function summarize(processes: readonly (readonly number[])[]): Summary {
  const sorted = processes.flat().sort((a, b) => a - b);
  return {
    median: significant(quantileSorted(sorted, 0.5)),
    low: significant(quantileSorted(sorted, 0.25)),
    high: significant(quantileSorted(sorted, 0.75)),
    processes: processes.map((rounds) => significant(median([...rounds]))),
  };
}

/** How many times faster than `baseline` each round of `times` was. */
export function speedRatios(times: readonly number[], baseline: readonly number[]): number[] {
  return times.map((time, round) => baseline[round]! / time);
}

/** The geometric mean: the only mean of ratios that does not depend on which of the two is the baseline. */
export function meanRatio(ratios: readonly number[]): number {
  return geometricMean([...ratios]);
}

/** Rounds to four significant digits: more would be noise in the diffs of result files. */
export function significant(value: number): number {
  return Number(value.toPrecision(4));
}
