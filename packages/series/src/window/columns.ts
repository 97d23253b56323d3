/** Computed windows in columns: the memory of batches that queries return. */
import type { Aggregate, Values, WindowBatch } from "../api.js";
import { Values64 } from "../page/values.js";
import { isExact } from "./aggregate.js";
import type { WindowPlan } from "./plan.js";

/** Number of windows in the first batch. Full batches grow to the maximum, so that few windows take little memory. */
const FIRST_BATCH = 64;
const MAX_ROWS = 1024;

/** Rows of aggregates that are being written. */
export interface RowTarget {
  /** The values of each aggregate of the plan. */
  readonly values: readonly Values64[];
  /** Marks aggregate `k` of row `row` as null. */
  setNull(k: number, row: number): void;
}

/** The columns of one batch. */
export class WindowColumns implements RowTarget {
  values: readonly Values64[] = [];
  /** For each aggregate a bitmap: 1 if it is null. */
  #nulls: readonly Uint8Array<ArrayBuffer>[] = [];
  readonly #plan: WindowPlan;
  readonly #isInt64: boolean;
  readonly #maxRows: number;
  /** The start of each window, in the unit of the plan. */
  starts = new Float64Array(0);
  #empty = new Uint8Array(0);
  #length = 0;

  constructor(plan: WindowPlan, isInt64: boolean, maxRows = MAX_ROWS, firstRows = FIRST_BATCH) {
    this.#plan = plan;
    this.#isInt64 = isInt64;
    this.#maxRows = maxRows;
    this.#allocate(firstRows);
  }

  /** Number of windows. */
  get length(): number {
    return this.#length;
  }

  get isFull(): boolean {
    return this.#length === this.starts.length;
  }

  /** Adds a window. Returns its row, which the caller fills. There must be room. */
  add(start: number): number {
    this.starts[this.#length] = start / this.#plan.unitMs;
    return this.#length++;
  }

  setNull(k: number, row: number): void {
    const { words, floats } = this.values[k]!;
    if (this.#isInt64 && isExact(this.#plan.aggregates[k]!.kind)) words.fill(0, 2 * row, 2 * row + 2);
    else floats[row] = Number.NaN;
    setBit(this.#nulls[k]!, row);
  }

  /** True if aggregate `k` of a row is null. */
  isNull(k: number, row: number): boolean {
    return hasBit(this.#nulls[k]!, row);
  }

  /** Marks a row as a window without values. */
  setEmpty(row: number): void {
    setBit(this.#empty, row);
    for (let k = 0; k < this.values.length; k++) this.setNull(k, row);
  }

  /** Returns the windows since {@link clear}, which reuses their memory. */
  batch(): WindowBatch {
    const length = this.#length;
    const columns: Partial<Record<Aggregate, Values>> = {};
    const nulls: Partial<Record<Aggregate, Uint8Array>> = {};
    const bytes = (length + 7) >> 3;
    this.#plan.aggregates.forEach(({ name, kind }, k) => {
      const { floats, words } = this.values[k]!;
      columns[name] =
        this.#isInt64 && isExact(kind) ? new BigInt64Array(words.buffer, 0, length) : floats.subarray(0, length);
      nulls[name] = this.#nulls[k]!.subarray(0, bytes);
    });
    const empty = this.#empty.subarray(0, bytes);
    return { length, starts: this.starts.subarray(0, length), columns, empty, nulls };
  }

  /** Starts a new batch. */
  clear(): void {
    const capacity = this.starts.length;
    const { isFull } = this;
    this.#length = 0;
    if (isFull && capacity < this.#maxRows) this.#allocate(Math.min(4 * capacity, this.#maxRows));
    else {
      this.#empty.fill(0);
      for (const bits of this.#nulls) bits.fill(0);
    }
  }

  #allocate(capacity: number): void {
    this.values = this.#plan.aggregates.map(() => new Values64(capacity));
    this.starts = new Float64Array(capacity);
    this.#empty = new Uint8Array(capacity >> 3);
    this.#nulls = this.#plan.aggregates.map(() => new Uint8Array(capacity >> 3));
  }
}

function setBit(bits: Uint8Array, i: number): void {
  bits[i >> 3]! |= 1 << (i & 7);
}

/** True if bit `i` is 1. */
export function hasBit(bits: Uint8Array, i: number): boolean {
  return (bits[i >> 3]! & (1 << (i & 7))) !== 0;
}
