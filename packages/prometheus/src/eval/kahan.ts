/** Sums with Kahan's compensation, as Prometheus adds. */
export class KahanSum {
  sum = 0;
  /** The part that `sum` lacks. */
  rest = 0;

  add(value: number): void {
    const { sum } = this;
    const next = sum + value;
    if (next === Number.POSITIVE_INFINITY || next === Number.NEGATIVE_INFINITY) this.rest = 0;
    else if (Math.abs(sum) >= Math.abs(value)) this.rest += sum - next + value;
    else this.rest += value - next + sum;
    this.sum = next;
  }

  /** Returns the sum with the compensation. */
  get total(): number {
    return this.sum + this.rest;
  }
}
