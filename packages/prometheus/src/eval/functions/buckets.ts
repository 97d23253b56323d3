/** Quantiles and fractions of the buckets of a classic histogram. */

/** The upper bounds and the cumulative counts of a histogram, the least bound first. */
export interface Buckets {
  readonly bounds: number[];
  readonly counts: number[];
}

/** The buckets that were raised so that counts do not fall. */
export interface Raised {
  readonly minBucket: number;
  readonly maxBucket: number;
  readonly maxDifference: number;
}

/** The relative difference of counts that is taken for an error of rounding. */
const TOLERANCE = 1e-12;
const MIN_NORMAL = 2 ** -1022;

/** Adds a bucket; counts of equal bounds, which follow each other, are added up. */
export function addBucket({ bounds, counts }: Buckets, bound: number, count: number): void {
  if (bounds.length > 0 && bounds.at(-1) === bound) {
    counts[counts.length - 1]! += count;
    return;
  }
  bounds.push(bound);
  counts.push(count);
}

/** Returns a quantile; NaN without a bucket for +Inf. Falling counts are raised, which is reported to `onRaised`. */
export function bucketQuantile(quantile: number, buckets: Buckets, onRaised: (raised: Raised) => void): number {
  if (Number.isNaN(quantile)) return Number.NaN;
  if (quantile < 0) return Number.NEGATIVE_INFINITY;
  if (quantile > 1) return Number.POSITIVE_INFINITY;
  const { bounds, counts } = buckets;
  const last = bounds.length - 1;
  if (bounds[last] !== Number.POSITIVE_INFINITY) return Number.NaN;
  raise(buckets, onRaised);
  const observations = counts[last]!;
  if (last < 1 || observations === 0) return Number.NaN;
  const rank = quantile * observations;
  const found = firstAtLeast(counts, rank, last);
  if (found === last) return bounds[last - 1]!;
  if (found === 0 && bounds[0]! <= 0) return bounds[0]!;
  const lower = found === 0 ? 0 : bounds[found - 1]!;
  const before = found === 0 ? 0 : counts[found - 1]!;
  return lower + (bounds[found]! - lower) * ((rank - before) / (counts[found]! - before));
}

/** The first of `count` counts that is not below `rank`; `count` if there is none. A binary search, since counts may be NaN. */
function firstAtLeast(counts: readonly number[], rank: number, count: number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (counts[middle]! >= rank) high = middle;
    else low = middle + 1;
  }
  return low;
}

function raise({ bounds, counts }: Buckets, onRaised: (raised: Raised) => void): void {
  let minBucket = Number.POSITIVE_INFINITY;
  let maxBucket = Number.NEGATIVE_INFINITY;
  let maxDifference = 0;
  let isRaised = false;
  let before = counts[0]!;
  for (let i = 1; i < counts.length; i++) {
    const count = counts[i]!;
    if (count === before) continue;
    const isClose = isAlmostEqual(before, count);
    if (!isClose && !(count < before)) {
      before = count;
      continue;
    }
    counts[i] = before;
    if (isClose) continue;
    isRaised = true;
    minBucket = Math.min(minBucket, bounds[i]!);
    maxBucket = Math.max(maxBucket, bounds[i]!);
    maxDifference = Math.max(maxDifference, before - count);
  }
  if (isRaised) onRaised({ minBucket, maxBucket, maxDifference });
}

function isAlmostEqual(a: number, b: number): boolean {
  if (Number.isNaN(a) && Number.isNaN(b)) return true;
  const sum = Math.abs(a) + Math.abs(b);
  const difference = Math.abs(a - b);
  if (a === 0 || b === 0 || sum < MIN_NORMAL) return difference < TOLERANCE * MIN_NORMAL;
  return difference / Math.min(sum, Number.MAX_VALUE) < TOLERANCE;
}

/** Returns the fraction of the observations from `lower` to `upper`; NaN without a bucket for +Inf. */
export function bucketFraction(lower: number, upper: number, { bounds, counts }: Buckets): number {
  const last = bounds.length - 1;
  const total = counts[last]!;
  if (bounds[last] !== Number.POSITIVE_INFINITY) return Number.NaN;
  if (total === 0 || Number.isNaN(lower) || Number.isNaN(upper)) return Number.NaN;
  if (lower >= upper) return 0;
  return (rankOf(upper, bounds, counts) - rankOf(lower, bounds, counts)) / total;
}

/** Returns the number of observations up to a value. */
function rankOf(value: number, bounds: readonly number[], counts: readonly number[]): number {
  const total = counts.at(-1)!;
  let rank = 0;
  let lowerBound = bounds[0]! <= 0 ? Number.NEGATIVE_INFINITY : 0;
  for (let i = 0; i < bounds.length; i++) {
    const upperBound = bounds[i]!;
    const count = counts[i]!;
    if (lowerBound >= value) return rank > total ? total : rank;
    if (upperBound > value) {
      // Within a bucket that has no lower bound nothing can be said.
      const within =
        lowerBound === Number.NEGATIVE_INFINITY
          ? count
          : rank + ((count - rank) * (value - lowerBound)) / (upperBound - lowerBound);
      return within > total ? total : within;
    }
    rank = count;
    lowerBound = upperBound;
  }
  return total;
}
