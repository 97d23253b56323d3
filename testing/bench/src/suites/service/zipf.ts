import type { Random } from "../../workloads/random.js";

/**
 * Draws ranks from 0 to `count` - 1 by Zipf's law: the rank r is drawn 1 / (r + 1) times as often as the first. Requests to services
 * are distributed like this, with exponents near 1.
 */
export function zipf(count: number): (random: Random) => number {
  const sums: number[] = [];
  let sum = 0;
  for (let rank = 0; rank < count; rank++) sums.push((sum += 1 / (rank + 1)));
  return (random) => {
    const wanted = random.next() * sum;
    let low = 0;
    let high = count - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sums[middle]! > wanted) high = middle;
      else low = middle + 1;
    }
    return low;
  };
}
