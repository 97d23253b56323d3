/** The aggregates of one window, from which windows without points get their values. */
import { copyValue, Values64 } from "../page/values.js";
import { isExact } from "./aggregate.js";
import type { RowTarget, WindowColumns } from "./columns.js";
import type { WindowPlan } from "./plan.js";

/** A row outside of columns. */
export class SavedRow implements RowTarget {
  readonly values: readonly Values64[];
  readonly #isNull: boolean[];
  /** The start of the window, in milliseconds. */
  start = 0;

  constructor({ aggregates }: WindowPlan) {
    this.values = aggregates.map(() => new Values64(1));
    this.#isNull = aggregates.map(() => false);
  }

  setNull(k: number): void {
    this.#isNull[k] = true;
  }

  isNull(k: number): boolean {
    return this.#isNull[k]!;
  }

  /** Starts a new row. */
  clear(start: number): void {
    this.start = start;
    this.#isNull.fill(false);
  }

  /** Copies a row of columns. */
  load(columns: WindowColumns, row: number, start: number): void {
    this.clear(start);
    this.values.forEach((value, k) => {
      copyValue(columns.values[k]!, row, value, 0);
      if (columns.isNull(k, row)) this.setNull(k);
    });
  }

  /** Copies this row to a row of columns. */
  store(columns: WindowColumns, row: number): void {
    for (let k = 0; k < this.values.length; k++) {
      if (this.#isNull[k]) columns.setNull(k, row);
      else copyValue(this.values[k]!, 0, columns.values[k]!, row);
    }
  }
}

/**
 * Writes values on the straight line between two windows into a row of the window that starts at `start`. Int64 values are rounded. An
 * aggregate that is null in one of them is null.
 */
export function interpolate(
  columns: WindowColumns,
  row: number,
  start: number,
  { aggregates }: WindowPlan,
  isInt64: boolean,
  earlier: SavedRow,
  later: SavedRow,
): void {
  const part = start - earlier.start;
  const whole = later.start - earlier.start;
  for (let k = 0; k < aggregates.length; k++) {
    const [target, a, b] = [columns.values[k]!, earlier.values[k]!, later.values[k]!];
    if (earlier.isNull(k) || later.isNull(k)) columns.setNull(k, row);
    else if (isInt64 && isExact(aggregates[k]!.kind))
      int64s(target)[row] = int64Between(int64s(a)[0]!, int64s(b)[0]!, BigInt(part), BigInt(whole));
    else target.floats[row] = between(a.floats[0]!, b.floats[0]!, part / whole);
  }
}

function int64s({ words }: Values64): BigInt64Array {
  return new BigInt64Array(words.buffer);
}

function int64Between(a: bigint, b: bigint, part: bigint, whole: bigint): bigint {
  const doubled = 2n * (b - a) * part + whole;
  const rest = doubled % (2n * whole);
  return a + (doubled - (rest < 0n ? rest + 2n * whole : rest)) / (2n * whole);
}

function between(a: number, b: number, share: number): number {
  const distance = b - a;
  return Number.isFinite(distance) ? a + distance * share : a * (1 - share) + b * share;
}
