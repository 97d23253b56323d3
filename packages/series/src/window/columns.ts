/** Computed windows in columns: the memory of batches that queries return. */
import type { Aggregate, Values, WindowBatch } from "../api.js";
import { Values64 } from "../page/values.js";
import { isExact } from "./aggregate.js";
import type { WindowPlan } from "./plan.js";

/** Number of windows in the first batch. Full batches grow to the maximum, so that few windows take little memory. */
const FIRST_BATCH = 64;
const MAX_ROWS = 1024;

/** The columns of one batch. Row 0 is the window before the batch; the batch starts at row 1. */
export class WindowColumns {
  /** The values of each aggregate of the plan. */
  values: readonly Values64[] = [];
  /** For each aggregate a bitmap of the batch's windows: 1 if the aggregate is null. */
  #nulls: readonly Uint8Array<ArrayBuffer>[] = [];
  /** The same for the window before the batch. */
  readonly #nullBefore: boolean[];
  readonly #plan: WindowPlan;
  readonly #isInt64: boolean;
  readonly #maxRows: number;
  #starts = new Float64Array(0);
  #empty = new Uint8Array(0);
  #capacity = 0;
  #length = 0;
  /** True if the last row has values that `previous` can copy. */
  #hasValues = false;

  constructor(plan: WindowPlan, isInt64: boolean, maxRows = MAX_ROWS) {
    this.#plan = plan;
    this.#isInt64 = isInt64;
    this.#maxRows = maxRows;
    this.#nullBefore = plan.aggregates.map(() => false);
    this.#allocate(FIRST_BATCH);
  }

  /** Number of windows. */
  get length(): number {
    return this.#length;
  }

  get isFull(): boolean {
    return this.#length === this.#capacity;
  }

  /** Adds a window with points. Returns its row in {@link values}, which the caller fills. There must be room. */
  add(start: number): number {
    this.#starts[this.#length] = start / this.#plan.unitMs;
    this.#hasValues = true;
    return ++this.#length;
  }

  /** Marks aggregate `k` of row `row` as null. Its value must be NaN. */
  setNull(k: number, row: number): void {
    this.values[k]!.floats[row] = Number.NaN;
    setBit(this.#nulls[k]!, row - 1);
  }

  /** Adds a window without points. There must be room. */
  addEmpty(start: number): void {
    const i = this.#length++;
    this.#starts[i] = start / this.#plan.unitMs;
    if (this.#hasValues && this.#plan.fill === "previous") this.#copyRow(i, i + 1);
    else {
      setBit(this.#empty, i);
      this.#clearRow(i + 1);
    }
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
        this.#isInt64 && isExact(kind) ? new BigInt64Array(words.buffer, 8, length) : floats.subarray(1, length + 1);
      nulls[name] = this.#nulls[k]!.subarray(0, bytes);
    });
    const empty = this.#empty.subarray(0, bytes);
    return { length, starts: this.#starts.subarray(0, length), columns, empty, nulls };
  }

  /** Starts a new batch. The last window becomes row 0. */
  clear(): void {
    const { isFull } = this;
    this.#copyRow(this.#length, 0);
    this.#length = 0;
    if (isFull && this.#capacity < this.#maxRows) this.#allocate(Math.min(4 * this.#capacity, this.#maxRows));
    else {
      this.#empty.fill(0);
      for (const bits of this.#nulls) bits.fill(0);
    }
  }

  /** Starts the windows of another metric, which follow the ones before. */
  next(): void {
    this.#hasValues = false;
  }

  #allocate(capacity: number): void {
    const before = this.values;
    this.values = this.#plan.aggregates.map((_, k) => {
      const values = new Values64(capacity + 1);
      if (before.length > 0) values.words.set(before[k]!.words.subarray(0, 2));
      return values;
    });
    this.#starts = new Float64Array(capacity);
    this.#empty = new Uint8Array(capacity >> 3);
    this.#nulls = this.#plan.aggregates.map(() => new Uint8Array(capacity >> 3));
    this.#capacity = capacity;
  }

  #copyRow(from: number, to: number): void {
    this.values.forEach(({ words }, k) => {
      const bits = this.#nulls[k]!;
      const isNull = from === 0 ? this.#nullBefore[k]! : hasBit(bits, from - 1);
      words.copyWithin(2 * to, 2 * from, 2 * from + 2);
      if (to === 0) this.#nullBefore[k] = isNull;
      else if (isNull) setBit(bits, to - 1);
    });
  }

  #clearRow(row: number): void {
    this.#plan.aggregates.forEach(({ kind }, k) => {
      const { floats, words } = this.values[k]!;
      if (this.#isInt64 && isExact(kind)) words.fill(0, 2 * row, 2 * row + 2);
      else floats[row] = Number.NaN;
      setBit(this.#nulls[k]!, row - 1);
    });
  }
}

function setBit(bits: Uint8Array, i: number): void {
  bits[i >> 3]! |= 1 << (i & 7);
}

/** True if bit `i` is 1. */
export function hasBit(bits: Uint8Array, i: number): boolean {
  return (bits[i >> 3]! & (1 << (i & 7))) !== 0;
}
