/**
 * Summaries of the points of one metric in a block, which index pages contain. Simple aggregates and the newest value need no chunks. A sum is
 * two floats, with twice the precision, so the sum of summaries is as exact as a sum of points.
 */
import { copyValue, Values64 } from "../page/values.js";

/** Sums of float values, and of int64 values as floats. min, max and sum ignore NaN. */
export class Summaries {
  /** Values that are NaN. */
  readonly nans: Float64Array;
  /** The least values. */
  readonly min: Values64;
  /** The greatest values. */
  readonly max: Values64;
  /** The sums. If a sum or its rounding error is not finite, the points must be read. */
  readonly sum: Values64;
  /** The rounding errors of the sums. */
  readonly rest: Values64;
  /** The first values. */
  readonly first: Values64;
  /** The last values. */
  readonly last: Values64;

  constructor(n: number) {
    this.nans = new Float64Array(n);
    this.min = new Values64(n);
    this.max = new Values64(n);
    this.sum = new Values64(n);
    this.rest = new Values64(n);
    this.first = new Values64(n);
    this.last = new Values64(n);
  }

  /** Bytes of memory. */
  get bytes(): number {
    return 56 * this.nans.length;
  }

  /** Starts the summary of metric `i`: it has no points. */
  clear(i: number): void {
    this.nans[i] = 0;
    this.sum.floats[i] = this.rest.floats[i] = 0;
    this.min.floats[i] = this.max.floats[i] = Number.NaN;
  }

  /** Adds the values from `from` (inclusive) to `to` (exclusive), as points of metric `i` that follow the ones before. */
  add(i: number, values: Values64, from: number, to: number, isInt64: boolean, isFirst: boolean): void {
    if (isFirst) copyValue(values, from, this.first, i);
    copyValue(values, to - 1, this.last, i);
    if (isInt64) this.#addInt64s(i, values, from, to, isFirst);
    else this.#addFloats(i, values.floats, from, to);
  }

  #addFloats(i: number, floats: Float64Array, from: number, to: number): void {
    let min = this.min.floats[i]!;
    let max = this.max.floats[i]!;
    let sum = this.sum.floats[i]!;
    let rest = this.rest.floats[i]!;
    for (let k = from; k < to; k++) {
      const value = floats[k]!;
      if (Number.isNaN(value)) {
        this.nans[i]!++;
        continue;
      }
      // Not "value < min": the first number replaces NaN. Of 0 and -0 the first one is kept.
      if (!(min <= value)) min = value;
      if (!(max >= value)) max = value;
      const next = sum + value;
      const added = next - sum;
      rest += sum - (next - added) + (value - added);
      sum = next;
    }
    this.min.floats[i] = min;
    this.max.floats[i] = max;
    this.sum.floats[i] = sum;
    // The rounding error of an infinite sum is NaN.
    this.rest.floats[i] = rest;
  }

  #addInt64s(i: number, values: Values64, from: number, to: number, isFirst: boolean): void {
    const { words } = values;
    if (isFirst) {
      copyValue(values, from, this.min, i);
      copyValue(values, from, this.max, i);
    }
    let sum = this.sum.floats[i]!;
    let rest = this.rest.floats[i]!;
    for (let k = from; k < to; k++) {
      if (isLess(words, k, this.min.words, i)) copyValue(values, k, this.min, i);
      if (isLess(this.max.words, i, words, k)) copyValue(values, k, this.max, i);
      const value = words[2 * k + 1]! * 2 ** 32 + (words[2 * k]! >>> 0);
      const next = sum + value;
      const added = next - sum;
      rest += sum - (next - added) + (value - added);
      sum = next;
    }
    this.sum.floats[i] = sum;
    this.rest.floats[i] = rest;
  }

  /** Adds the summary of metric `k` of another block, whose points follow. */
  fold(i: number, other: Summaries, k: number, isInt64: boolean, isFirst: boolean): void {
    if (isFirst) copyValue(other.first, k, this.first, i);
    copyValue(other.last, k, this.last, i);
    this.nans[i]! += other.nans[k]!;
    foldSum(this.sum.floats, this.rest.floats, i, other.sum.floats[k]!, other.rest.floats[k]!);
    if (isInt64) {
      if (isFirst || isLess(other.min.words, k, this.min.words, i)) copyValue(other.min, k, this.min, i);
      if (isFirst || isLess(this.max.words, i, other.max.words, k)) copyValue(other.max, k, this.max, i);
      return;
    }
    const min = other.min.floats[k]!;
    const max = other.max.floats[k]!;
    if (Number.isNaN(min)) return;
    if (!(this.min.floats[i]! <= min)) this.min.floats[i] = min;
    if (!(this.max.floats[i]! >= max)) this.max.floats[i] = max;
  }
}

/** Adds a sum of two parts to another one. */
export function foldSum(sums: Float64Array, rests: Float64Array, i: number, sum: number, rest: number): void {
  const before = sums[i]!;
  const next = before + sum;
  const added = next - before;
  rests[i]! += before - (next - added) + (sum - added) + rest;
  sums[i] = next;
}

/** True if int64 `i` of `a` is less than `k` of `b`. */
function isLess(a: Int32Array, i: number, b: Int32Array, k: number): boolean {
  const highA = a[2 * i + 1]!;
  const highB = b[2 * k + 1]!;
  return highA < highB || (highA === highB && a[2 * i]! >>> 0 < b[2 * k]! >>> 0);
}
