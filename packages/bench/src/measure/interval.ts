import { binomialDistribution, quantileSorted } from "simple-statistics";
import { significant } from "./statistics.js";

/** A median, and between which values it lies. */
export interface MedianInterval {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** What may lie outside of an interval on either side. */
const TAIL = 0.025;

/**
 * The median of independent measurements with its 95 % interval by order statistics, which assumes nothing of their
 * distribution: so many of them are below the true median as a coin thrown as often shows heads.
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
