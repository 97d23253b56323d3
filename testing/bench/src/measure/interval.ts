import { binomialDistribution, quantileSorted } from "simple-statistics";
import { significant } from "./statistics.js";

/** A median with an interval around it. */
export interface MedianInterval {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** Probability that the true value lies outside of the interval, on either side. */
const TAIL = 0.025;

/**
 * The median of independent measurements with its 95 % interval by order statistics, without assumptions on their
 * distribution: the number of measurements below the true median has a binomial distribution with p = 0.5.
 */
export function medianInterval(values: readonly number[]): MedianInterval {
  const sorted = [...values].sort((a, b) => a - b);
  const heads = binomialDistribution(sorted.length, 0.5) ?? [];
  let rank = 0;
  for (let below = heads[0] ?? 1; below <= TAIL; below += heads[rank]!) rank++;
  const outermost = Math.max(0, rank - 1);
  return {
    median: significant(quantileSorted(sorted, 0.5)),
    low: significant(sorted[outermost]!),
    high: significant(sorted[sorted.length - 1 - outermost]!),
  };
}
