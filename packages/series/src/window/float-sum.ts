/**
 * Sums of floats, and their means. They are compensated (Neumaier, by the branchless two-sum of Knuth): the lost parts are off the chain
 * of additions that the loop waits for.
 *
 * A sum may leave the range of floats on its way though it ends within it, and a mean is always within it. From the value on whose
 * addition would be infinite, large values are added apart, scaled down. So the result depends on the values and their order, and not on
 * how they come in batches.
 */

/** Values from here on are scaled: the others cannot have an infinite sum. */
const LARGE = 2 ** 900;
/** 2^64 values of any size have a finite sum. */
const SCALE = 2 ** -64;

/** A sum and a count. NaN is passed over. */
export class FloatSum {
  /** Values that are in the sum. */
  count = 0;
  #sum = 0;
  /** What the additions to the sum have rounded away. */
  #lost = 0;
  /** Undefined until an addition is infinite; then the whole sum. */
  #wide: WideSum | undefined;

  /** Adds the values from `i` up to, and without, `j`. */
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
    // It is never finite again once it was infinite.
    if (!Number.isFinite(lost)) return this.#widen(floats, i, j);
    this.#sum = sum;
    this.#lost = lost;
    this.count = count;
  }

  /** Adds values whose sum is known, in two parts: it is finite. */
  addSum(sum: number, rest: number, count: number): void {
    const next = this.#sum + sum;
    const added = next - this.#sum;
    const lost = this.#lost + (this.#sum - (next - added) + (sum - added)) + rest;
    if (this.#wide === undefined && !Number.isFinite(lost)) {
      this.#wide = new WideSum();
      this.#wide.add(this.#sum);
      this.#wide.add(this.#lost);
    }
    if (this.#wide !== undefined) {
      this.#wide.add(sum);
      this.#wide.add(rest);
    }
    this.#sum = next;
    this.#lost = lost;
    this.count += count;
  }

  /** Adds values of which one makes the sum infinite. */
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
    this.#wide = new WideSum();
    this.#wide.add(this.#sum);
    this.#wide.add(this.#lost);
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

  /** The sum: infinite only if the values have an infinite one. */
  get total(): number {
    return this.#wide === undefined ? this.#sum + this.#lost : this.#wide.dividedBy(1);
  }

  /** The mean: finite if the values are. */
  get mean(): number {
    if (this.#wide !== undefined) return this.#wide.dividedBy(this.count);
    const total = this.#sum + this.#lost;
    // Both are finite.
    return Number.isFinite(total) ? total / this.count : this.#sum / this.count + this.#lost / this.count;
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
  /** The infinities: 0, one of them, or NaN for both. */
  #infinite = 0;

  add(value: number): void {
    if (Math.abs(value) === Infinity) this.#infinite += value;
    else if (Math.abs(value) >= LARGE) this.#large.add(value * SCALE);
    else this.#small.add(value);
  }

  /** The sum, divided by a number before it can be too large. */
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
