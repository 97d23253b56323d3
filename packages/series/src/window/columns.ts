/** Windows that are computed, in columns: the memory of the batches that queries return. */
import type { Aggregate, Values, WindowBatch } from "../api.js";
import { Values64 } from "../page/values.js";
import { isExact } from "./aggregate.js";
import type { WindowPlan } from "./plan.js";

/** Windows of the first batch. Batches grow up to the largest, so that few windows take little memory. */
const FIRST_BATCH = 64;
const LARGEST_BATCH = 1024;

/** The columns of one batch. Row 0 of each is the window before the batch; its own windows begin at row 1. */
export class WindowColumns {
  /** The values of each aggregate of the plan. */
  values: readonly Values64[] = [];
  /** For each aggregate, a bit for each window of the batch: 1 where there is nothing to compute it of. */
  #nulls: readonly Uint8Array<ArrayBuffer>[] = [];
  /** The same of the window before the batch. */
  readonly #nullBefore: boolean[];
  readonly #plan: WindowPlan;
  readonly #isInt64: boolean;
  #starts = new Float64Array(0);
  #empty = new Uint8Array(0);
  #capacity = 0;
  #length = 0;
  /** True if the row before the next one has values, which `previous` fills in. */
  #hasValues = false;

  constructor(plan: WindowPlan, isInt64: boolean) {
    this.#plan = plan;
    this.#isInt64 = isInt64;
    this.#nullBefore = plan.aggregates.map(() => false);
    this.#allocate(FIRST_BATCH);
  }

  get isFull(): boolean {
    return this.#length === this.#capacity;
  }

  /** Adds a window that has points. Returns its row in {@link values}, for the caller to fill. There must be room. */
  add(start: number): number {
    this.#starts[this.#length] = start / this.#plan.unitMs;
    this.#hasValues = true;
    return ++this.#length;
  }

  /** There is nothing to compute aggregate `k` of row `row` of. Its value is NaN. */
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

  /** The windows since {@link clear}, in memory that is used again after it. Undefined if there are none. */
  batch(): WindowBatch | undefined {
    const length = this.#length;
    if (length === 0) return undefined;
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

  /** Begins a new batch. The last window becomes row 0. */
  clear(): void {
    this.#copyRow(this.#length, 0);
    this.#length = 0;
    if (this.#capacity < LARGEST_BATCH) this.#allocate(4 * this.#capacity);
    else {
      this.#empty.fill(0);
      for (const bits of this.#nulls) bits.fill(0);
    }
  }

  /** Begins the windows of another metric: there is none before the first. */
  restart(): void {
    this.#length = 0;
    this.#hasValues = false;
    this.#nullBefore.fill(false);
    this.#empty.fill(0);
    for (const bits of this.#nulls) bits.fill(0);
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
