/**
 * The aggregates of one window of int64. `min`, `max`, `first` and `last` are exact words; the others are floats. Increases are exact
 * differences, rounded once.
 */
import type { SummedPoints } from "../blocks/summary-cursor.js";
import type { RowTarget } from "./columns.js";
import { PercentileValues } from "./percentiles.js";
import type { Needs, PointValues, WindowState } from "./state.js";

const TWO_32 = 2 ** 32;
/** Indexes of stored values, two words each. */
const FIRST = 0;
const LAST = 2;
const MIN = 4;
const MAX = 6;
/** The value before the next point. */
const PREVIOUS = 8;

/** The state of a window of int64. */
export class Int64Window implements WindowState {
  readonly #needs: Needs;
  readonly #order = new PercentileValues();
  readonly #stored = new Int32Array(10);
  #count = 0;
  #sum = 0;
  /** The rounding error of the sum. */
  #lost = 0;
  #steps = 0;
  #increase = 0;
  #hasPrevious = false;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  add({ words }: PointValues, i: number, j: number): void {
    const needs = this.#needs;
    if (this.#count === 0) {
      this.#keep(FIRST, words, i);
      this.#keep(MIN, words, i);
      this.#keep(MAX, words, i);
    }
    this.#keep(LAST, words, j - 1);
    this.#count += j - i;
    if (needs.sum) this.#addSum(words, i, j);
    if (needs.extremes) this.#addExtremes(words, i, j);
    if (needs.steps) this.#addSteps(words, i, j);
    if (needs.order) this.#order.addInt64s(words, i, j);
  }

  addSummed({ summaries, place, count }: SummedPoints): void {
    const { first, last, min, max, sum, rest } = summaries;
    if (this.#count === 0) {
      this.#keep(FIRST, first.words, place);
      this.#keep(MIN, min.words, place);
      this.#keep(MAX, max.words, place);
    }
    this.#keep(LAST, last.words, place);
    this.#count += count;
    const next = this.#sum + sum.floats[place]!;
    const added = next - this.#sum;
    this.#lost += this.#sum - (next - added) + (sum.floats[place]! - added) + rest.floats[place]!;
    this.#sum = next;
    this.#addExtremes(min.words, place, place + 1);
    this.#addExtremes(max.words, place, place + 1);
  }

  startAfter({ words }: PointValues, i: number): void {
    this.#keep(PREVIOUS, words, i);
    this.#hasPrevious = true;
  }

  #keep(place: number, words: Int32Array, i: number): void {
    this.#stored[place] = words[2 * i]!;
    this.#stored[place + 1] = words[2 * i + 1]!;
  }

  #addSum(words: Int32Array, i: number, j: number): void {
    let sum = this.#sum;
    let lost = this.#lost;
    for (; i < j; i++) {
      const value = words[2 * i + 1]! * TWO_32 + (words[2 * i]! >>> 0);
      const next = sum + value;
      const added = next - sum;
      lost += sum - (next - added) + (value - added);
      sum = next;
    }
    this.#sum = sum;
    this.#lost = lost;
  }

  #addExtremes(words: Int32Array, i: number, j: number): void {
    const stored = this.#stored;
    let minLow = stored[MIN]! >>> 0;
    let minHigh = stored[MIN + 1]!;
    let maxLow = stored[MAX]! >>> 0;
    let maxHigh = stored[MAX + 1]!;
    for (; i < j; i++) {
      const low = words[2 * i]! >>> 0;
      const high = words[2 * i + 1]!;
      if (high < minHigh || (high === minHigh && low < minLow)) {
        minLow = low;
        minHigh = high;
      }
      if (high > maxHigh || (high === maxHigh && low > maxLow)) {
        maxLow = low;
        maxHigh = high;
      }
    }
    stored[MIN] = minLow;
    stored[MIN + 1] = minHigh;
    stored[MAX] = maxLow;
    stored[MAX + 1] = maxHigh;
  }

  #addSteps(words: Int32Array, i: number, j: number): void {
    const stored = this.#stored;
    if (!this.#hasPrevious) this.#keep(PREVIOUS, words, i++);
    this.#hasPrevious = true;
    let low = stored[PREVIOUS]! >>> 0;
    let high = stored[PREVIOUS + 1]!;
    let increase = this.#increase;
    this.#steps += j - i;
    for (; i < j; i++) {
      const nextLow = words[2 * i]! >>> 0;
      const nextHigh = words[2 * i + 1]!;
      const step = (nextHigh - high) * TWO_32 + (nextLow - low);
      // A decrease is a counter that was reset to 0.
      increase += step < 0 ? nextHigh * TWO_32 + nextLow : step;
      low = nextLow;
      high = nextHigh;
    }
    stored[PREVIOUS] = low;
    stored[PREVIOUS + 1] = high;
    this.#increase = increase;
  }

  write(target: RowTarget, row: number, seconds: number): void {
    const { aggregates } = this.#needs;
    for (let k = 0; k < aggregates.length; k++) {
      const { kind, percent } = aggregates[k]!;
      const { floats, words } = target.values[k]!;
      const place = placeOf(kind);
      if (place >= 0) {
        words[2 * row] = this.#stored[place]!;
        words[2 * row + 1] = this.#stored[place + 1]!;
        continue;
      }
      const value = kind === "percentile" ? this.#order.percentile(percent) : this.#value(kind, seconds);
      if (value === undefined) target.setNull(k, row);
      else floats[row] = value;
    }
  }

  /** Returns an aggregate; undefined for an increase from an unknown value. */
  #value(kind: string, seconds: number): number | undefined {
    switch (kind) {
      case "count":
        return this.#count;
      case "sum":
        return this.#sum + this.#lost;
      case "avg":
        return (this.#sum + this.#lost) / this.#count;
      case "increase":
        return this.#steps === 0 ? undefined : this.#increase;
      default:
        return this.#steps === 0 ? undefined : this.#increase / seconds;
    }
  }

  restart(): void {
    this.clear();
    this.#hasPrevious = false;
  }

  clear(): void {
    this.#count = 0;
    this.#sum = 0;
    this.#lost = 0;
    this.#steps = 0;
    this.#increase = 0;
    this.#order.clear();
  }
}

/** Returns the index of an exact aggregate; -1 for float aggregates. */
function placeOf(kind: string): number {
  switch (kind) {
    case "first":
      return FIRST;
    case "last":
      return LAST;
    case "min":
      return MIN;
    case "max":
      return MAX;
    default:
      return -1;
  }
}
