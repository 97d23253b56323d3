/** Percentiles of one window. All numbers are stored, since percentiles are exact. */

const FIRST_CAPACITY = 1024;

/** Collects numbers and returns percentiles of them. */
export class PercentileValues {
  /** Empty until the first numbers: most queries do not need percentiles. */
  #numbers = new Float64Array(0);
  #length = 0;
  #isSorted = true;

  /** Adds the floats from `i` (inclusive) to `j` (exclusive), except NaN. */
  addFloats(floats: Float64Array, i: number, j: number): void {
    const numbers = this.#withRoom(j - i);
    let length = this.#length;
    for (; i < j; i++) {
      const value = floats[i]!;
      // NaN is overwritten by the next value.
      numbers[length] = value;
      if (!Number.isNaN(value)) length++;
    }
    this.#length = length;
  }

  /** Adds the int64 from `i` (inclusive) to `j` (exclusive), as the nearest floats. */
  addInt64s(words: Int32Array, i: number, j: number): void {
    const numbers = this.#withRoom(j - i);
    let length = this.#length;
    for (; i < j; i++) numbers[length++] = words[2 * i + 1]! * 2 ** 32 + (words[2 * i]! >>> 0);
    this.#length = length;
  }

  /** Returns a percentile, interpolated between the two nearest ranks; undefined without numbers. */
  percentile(percent: number): number {
    const n = this.#length;
    if (n === 0) return Number.NaN;
    if (!this.#isSorted) this.#numbers.subarray(0, n).sort();
    this.#isSorted = true;
    const rank = (percent * (n - 1)) / 100;
    const below = Math.floor(rank);
    return between(this.#numbers[below]!, this.#numbers[Math.ceil(rank)]!, rank - below);
  }

  clear(): void {
    this.#length = 0;
  }

  #withRoom(n: number): Float64Array {
    this.#isSorted = false;
    const need = this.#length + n;
    if (need > this.#numbers.length) {
      const larger = new Float64Array(Math.max(need, 2 * this.#numbers.length, FIRST_CAPACITY));
      larger.set(this.#numbers.subarray(0, this.#length));
      this.#numbers = larger;
    }
    return this.#numbers;
  }
}

/** Interpolates between `a` and `b`. */
function between(a: number, b: number, share: number): number {
  if (share === 0 || a === b) return a;
  const distance = b - a;
  // The difference of finite numbers can be infinite; with infinite ends it cannot be interpolated.
  return Math.abs(distance) < Infinity ? a + distance * share : a * (1 - share) + b * share;
}
