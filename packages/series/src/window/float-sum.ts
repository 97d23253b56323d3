/**
 * Sums and means of floats. They are compensated (Neumaier, by the branchless two-sum of Knuth): rounding errors are summed separately, which
 * does not delay the chain of additions.
 *
 * An intermediate sum may exceed the range of floats although the result is within it; a mean is always within it. From the first value whose
 * addition would be infinite, large values are added separately, scaled down. So the result depends on the values and their order, not on
 * the batches.
 */

/** Larger values are scaled: the others cannot have an infinite sum. */
const LARGE = 2 ** 900;
/** 2^64 values of any size have a finite sum. */
const SCALE = 2 ** -64;

/** A sum and a count. NaN is skipped. */
export class FloatSum {
  /** Number of values in the sum. */
  count = 0;
  #sum = 0;
  /** The rounding error of the sum. */
  #lost = 0;
  /** The whole sum, once an addition would be infinite; undefined before. */
  #wide: WideSum | undefined;

  /** Adds the values from `i` (inclusive) to `j` (exclusive). */
  add(floats: Float64Array, i: number, j: number): void {
    if (this.#wide !== undefined) return this.#addWide(this.#wide, floats, i, j);
    let sum = this.#sum;
    let lost = this.#lost;
    let count = this.count;
    for (let k = i; k < j; k++) {
      const value = floats[k]!;
      if (Number.isNaN(value)) continue;
      const next = sum + value;
      const added = next - sum;
      lost += sum - (next - added) + (value - added);
      sum = next;
      count++;
    }
    // An infinite sum stays infinite or NaN.
    if (!Number.isFinite(lost)) return this.#widen(floats, i, j);
    this.#sum = sum;
    this.#lost = lost;
    this.count = count;
  }

  /** Adds values with a known sum, in two parts: see {@link parts}. */
  addSum(sum: number, rest: number, count: number): void {
    if (!Number.isFinite(sum)) return this.#addInfinite(sum, rest, count);
    const next = this.#sum + sum;
    const added = next - this.#sum;
    const lost = this.#lost + (this.#sum - (next - added) + (sum - added)) + rest;
    if (this.#wide === undefined && !Number.isFinite(lost)) this.#wide = WideSum.of(this.#sum, this.#lost);
    if (this.#wide !== undefined) {
      this.#wide.add(sum);
      this.#wide.add(rest);
    }
    this.#sum = next;
    this.#lost = lost;
    this.count += count;
  }

  /** Adds values whose sum is not finite: because one of them is not, or else with their mean. */
  #addInfinite(sum: number, mean: number, count: number): void {
    this.#wide ??= WideSum.of(this.#sum, this.#lost);
    if (Number.isNaN(mean)) this.#wide.add(sum);
    else this.#wide.addMany(mean, count);
    this.count += count;
  }

  /** Adds values that make the simple sum infinite. */
  #widen(floats: Float64Array, i: number, j: number): void {
    for (; i < j; i++) {
      const value = floats[i]!;
      if (Number.isNaN(value)) continue;
      const next = this.#sum + value;
      const added = next - this.#sum;
      const lost = this.#lost + (this.#sum - (next - added) + (value - added));
      if (!Number.isFinite(lost)) break;
      this.#sum = next;
      this.#lost = lost;
      this.count++;
    }
    this.#wide = WideSum.of(this.#sum, this.#lost);
    this.#addWide(this.#wide, floats, i, j);
  }

  #addWide(wide: WideSum, floats: Float64Array, i: number, j: number): void {
    for (; i < j; i++) {
      const value = floats[i]!;
      if (Number.isNaN(value)) continue;
      wide.add(value);
      this.count++;
    }
  }

  /** Returns the sum: infinite only if the exact sum is. */
  get total(): number {
    return this.#wide === undefined ? this.#sum + this.#lost : this.#wide.dividedBy(1);
  }

  /** Returns the mean: finite if the values are. */
  get mean(): number {
    if (this.#wide !== undefined) return this.#wide.dividedBy(this.count);
    const total = this.#sum + this.#lost;
    // Both are finite.
    return Number.isFinite(total) ? total / this.count : this.#sum / this.count + this.#lost / this.count;
  }

  /**
   * Returns the sum in two parts: the sum, and its rounding error. If the sum is not finite, the second part is the mean of the values, or NaN
   * if a value is infinite.
   */
  get parts(): readonly [sum: number, rest: number] {
    if (this.#wide === undefined) return [this.#sum, this.#lost];
    const total = this.#wide.dividedBy(1);
    if (Number.isFinite(total)) return [total, 0];
    return [total, this.#wide.isFinite ? this.mean : Number.NaN];
  }

  clear(): void {
    this.count = 0;
    this.#sum = 0;
    this.#lost = 0;
    this.#wide = undefined;
  }
}

/** A sum without overflow. */
class WideSum {
  readonly #large = new Compensated();
  readonly #small = new Compensated();
  /** The sum of infinite values: 0, an infinity, or NaN for both. */
  #infinite = 0;

  static of(sum: number, lost: number): WideSum {
    const wide = new WideSum();
    wide.add(sum);
    wide.add(lost);
    return wide;
  }

  /** True if no value is infinite. */
  get isFinite(): boolean {
    return this.#infinite === 0;
  }

  /** Adds values with a mean. */
  addMany(mean: number, count: number): void {
    this.#large.add(mean * SCALE * count);
  }

  add(value: number): void {
    if (!Number.isFinite(value)) this.#infinite += value;
    else if (Math.abs(value) >= LARGE) this.#large.add(value * SCALE);
    else this.#small.add(value);
  }

  /** Returns the sum divided by a number. The division comes first, so that it does not overflow. */
  dividedBy(n: number): number {
    if (this.#infinite !== 0) return this.#infinite;
    const small = this.#small.sum + this.#small.lost;
    const { sum, lost } = this.#large;
    return sum === 0 && lost === 0 ? small / n : ((sum + (lost + small * SCALE)) / n) * (1 / SCALE);
  }
}

class Compensated {
  sum = 0;
  lost = 0;

  add(value: number): void {
    const next = this.sum + value;
    const added = next - this.sum;
    this.lost += this.sum - (next - added) + (value - added);
    this.sum = next;
  }
}
