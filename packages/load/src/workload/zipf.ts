/** Keys by Zipf's law: the key of rank r is drawn with a probability proportional to 1 / r^0.99, as in YCSB. */
import { bisectRight } from "d3-array";
import type { Random } from "../random.js";

const EXPONENT = 0.99;

/** Draws keys from an exact table of cumulative weights: 8 bytes per key. */
export class Zipf {
  /** The cumulative weight of each rank. */
  readonly #sums: Float64Array;
  /** The key of each rank: shuffled, so that frequent keys are not adjacent. */
  readonly #keys: Uint32Array;

  constructor(keys: number, random: Random) {
    this.#sums = new Float64Array(keys);
    this.#keys = new Uint32Array(keys);
    let sum = 0;
    for (let rank = 0; rank < keys; rank++) {
      sum += 1 / (rank + 1) ** EXPONENT;
      this.#sums[rank] = sum;
      const other = Math.floor(random.fraction() * (rank + 1));
      this.#keys[rank] = this.#keys[other]!;
      this.#keys[other] = rank;
    }
  }

  /** Returns a key. */
  draw(random: Random): number {
    // Rounding could yield the total itself, one past the last rank.
    const rank = bisectRight(this.#sums, random.fraction() * this.#sums.at(-1)!);
    return this.#keys[Math.min(rank, this.#keys.length - 1)]!;
  }
}
