/** Windows by a naive implementation: objects, sorting, bigints; and how the one under test is run. */
import type { Aggregate, Window, WindowBatch, WindowRow } from "../../src/api.ts";
import { WindowRows } from "../../src/rows.ts";
import { Zones } from "../../src/time-zone.ts";
import { WindowAggregator } from "../../src/window/aggregator.ts";
import { windowPlan } from "../../src/window/plan.ts";
import type { PointValues } from "../../src/window/state.ts";

/** A point of a float or an int64 metric. */
export interface TestPoint {
  readonly time: number;
  readonly value: number | bigint;
}

/** A window query and its points, by ascending time. */
export interface WindowTest extends Window {
  readonly window: number;
  readonly origin?: number;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly before?: number | bigint | undefined;
  readonly points: readonly TestPoint[];
  readonly isInt64?: boolean;
  /** Points of each batch; the last one takes the rest. */
  readonly batches?: readonly number[];
  readonly unitMs?: 1 | 1000;
  readonly limit?: number;
  readonly reverse?: boolean;
  /** The borders of windows, if they have no fixed length. */
  readonly borders?: Borders;
}

/** Naive borders of windows. */
export interface Borders {
  startOf(time: number): number;
  endOf(start: number): number;
}

/** The rows of the implementation under test. */
export async function run(test: WindowTest): Promise<WindowRow[]> {
  const { points, isInt64 = false, batches = [], before } = test;
  const plan = windowPlan(test, test, test.unitMs ?? 1, new Zones().of(test.timeZone));
  const aggregator = new WindowAggregator(plan, isInt64);
  const columns = (some: readonly TestPoint[]) => {
    // Points lie anywhere in the arrays of a batch.
    const floats = new Float64Array(some.length + 2).fill(1e9);
    const int64s = new BigInt64Array(floats.buffer);
    some.forEach(({ value }, i) => {
      if (typeof value === "bigint") int64s[i + 1] = value;
      else floats[i + 1] = value;
    });
    const times = Float64Array.from([0, ...some.map(({ time }) => time), 0]);
    return { times, values: { floats, words: new Int32Array(floats.buffer) } };
  };
  if (before !== undefined) aggregator.startAfter(columns([{ time: 0, value: before }]).values, 1);
  const runs = function* () {
    let i = 0;
    for (const n of [...batches, points.length]) {
      yield { ...columns(points.slice(i, i + n)), from: 1, to: 1 + points.slice(i, i + n).length };
      i += n;
    }
  };
  const rows = new WindowRows(
    async function* () {
      yield* windowBatches(aggregator, runs());
    },
    plan.aggregates.map(({ name }) => name),
  );
  return await rows.toArray();
}

/** Points from `from` (inclusive) to `to` (exclusive). */
interface TestRun {
  readonly times: Float64Array;
  readonly values: PointValues;
  readonly from: number;
  readonly to: number;
}

/** All windows of an aggregator, as a read takes them. */
export function* windowBatches(aggregator: WindowAggregator, runs: Iterable<TestRun>): Generator<WindowBatch> {
  for (const { times, values, from, to } of runs)
    for (let i = from; (i = aggregator.add(times, values, i, to)) < to; aggregator.clear()) yield aggregator.batch();
  for (let isDone = false; !isDone; aggregator.clear()) {
    isDone = aggregator.end();
    if (aggregator.length > 0) yield aggregator.batch();
  }
}

/** Rows with an object for each window, from the first that is due to the last. */
export function naive(test: WindowTest): WindowRow[] {
  const { points, fill = "none", from, to, unitMs = 1, isInt64 = false, limit, reverse } = test;
  const { startOf, endOf } = test.borders ?? fixedBorders(test);
  const byStart = new Map<number, TestPoint[]>();
  for (const point of points) {
    const start = startOf(point.time);
    const others = byStart.get(start);
    if (others === undefined) byStart.set(start, [point]);
    else others.push(point);
  }
  const first = from ?? points[0]?.time;
  const last = to === undefined ? points.at(-1)?.time : to - 1;
  const starts: number[] = fill === "none" ? [...byStart.keys()] : [];
  if (
    fill !== "none" &&
    first !== undefined &&
    last !== undefined &&
    ((from !== undefined && (to !== undefined || points.length > 0)) || points.length > 0) &&
    first <= last
  )
    for (let start = startOf(first); start <= startOf(last); start = endOf(start)) starts.push(start);
  let previous = Number.isNaN(test.before) ? undefined : test.before;
  const full = new Map<number, NaiveRow>();
  for (const [start, within] of byStart) {
    const values = within.map(({ value }) => value);
    const length = endOf(start) - start;
    full.set(
      start,
      Object.fromEntries(test.aggregate.map((name) => [name, aggregated(name, values, previous, length)])),
    );
    previous = values.findLast((value) => !Number.isNaN(value)) ?? previous;
  }
  const known = [...full.keys()];
  const rows = starts.map((start): WindowRow => {
    const row = full.get(start);
    if (row !== undefined) return { ...row, start: start / unitMs } as WindowRow;
    const before = known.findLast((other) => other < start);
    const after = known.find((other) => other > start);
    const value = (name: Aggregate): NaiveValue => {
      const a = before === undefined ? null : full.get(before)![name]!;
      const b = after === undefined ? null : full.get(after)![name]!;
      if (fill === "previous") return a;
      if (fill !== "linear" || a === null || b === null) return null;
      const exact = isInt64 && ["min", "max", "first", "last"].includes(name);
      return exact
        ? between(a as bigint, b as bigint, BigInt(start - before!), BigInt(after! - before!))
        : share(a as number, b as number, (start - before!) / (after! - before!));
    };
    return {
      ...Object.fromEntries(test.aggregate.map((name) => [name, value(name)])),
      start: start / unitMs,
    } as WindowRow;
  });
  return (reverse === true ? rows.reverse() : rows).slice(0, limit);
}

type NaiveValue = number | bigint | null;
type NaiveRow = { [name in Aggregate]?: NaiveValue };

function fixedBorders({ window, origin = 0, unitMs = 1 }: WindowTest): Borders {
  const startOf = (time: number) => {
    const distance = BigInt(time) - BigInt(origin * unitMs);
    const length = BigInt(window);
    const rest = ((distance % length) + length) % length;
    return Number(BigInt(time) - rest);
  };
  return { startOf, endOf: (start) => start + window };
}

function share(a: number, b: number, part: number): number {
  return Number.isFinite(b - a) ? a + (b - a) * part : a * (1 - part) + b * part;
}

/** The nearest integer on the line. */
function between(a: bigint, b: bigint, part: bigint, whole: bigint): bigint {
  let value = a + ((b - a) * part) / whole;
  // Twice the distance to the line, from both neighbours.
  const off = (n: bigint) => (n - a) * 2n * whole - (b - a) * 2n * part;
  while (off(value) > whole) value--;
  while (off(value) <= -whole) value++;
  return value;
}

function aggregated(
  name: string,
  values: readonly (number | bigint)[],
  previous: number | bigint | undefined,
  window: number,
): number | bigint | null {
  if (name === "count") return values.length;
  if (name === "first") return values[0]!;
  if (name === "last") return values.at(-1)!;
  const numbers = values.filter((value) => !Number.isNaN(value));
  if (numbers.length === 0) return name === "increase" || name === "rate" ? null : Number.NaN;
  if (name === "min") return numbers.reduce((a, b) => (b < a ? b : a));
  if (name === "max") return numbers.reduce((a, b) => (b > a ? b : a));
  if (name === "sum") return sumOf(numbers);
  if (name === "avg") return sumOf(numbers) / numbers.length;
  if (name === "increase" || name === "rate") {
    const all = previous === undefined ? numbers : [previous, ...numbers];
    if (all.length < 2) return null;
    let increase = 0;
    for (let i = 1; i < all.length; i++) increase += stepOf(all[i - 1]!, all[i]!);
    return name === "rate" ? increase / (window / 1000) : increase;
  }
  return percentileOf(Number(name.slice(1)), numbers.map(Number));
}

function sumOf(values: readonly (number | bigint)[]): number {
  let sum = 0n;
  for (const value of values) {
    if (typeof value === "number") return sumOfFloats(values as number[]);
    sum += value;
  }
  return Number(sum);
}

/** The exact sum, rounded once. */
function sumOfFloats(values: readonly number[]): number {
  const plain = values.reduce((a, b) => a + b, 0);
  if (!Number.isFinite(plain)) return plain;
  // All finite floats are integers of this unit.
  let sum = 0n;
  for (const value of values) sum += scaled(value);
  const digits = sum.toString(2).length;
  // 60 bits, and whether any is set below: rounding them is rounding the whole.
  const cut = BigInt(Math.max(digits - 60, 0));
  const top = sum >> cut;
  const exponent = Number(cut) - 1 - 1074;
  const half = Math.trunc(exponent / 2);
  return Number((top << 1n) | (top << cut === sum ? 0n : 1n)) * 2 ** half * 2 ** (exponent - half);
}

/** A float times 2^1074. */
export function scaled(value: number): bigint {
  const bits = new BigUint64Array(Float64Array.of(value).buffer)[0]!;
  const exponent = (bits >> 52n) & 0x7ffn;
  const fraction = bits & 0xfffffffffffffn;
  const size = exponent === 0n ? fraction : (fraction | (1n << 52n)) << (exponent - 1n);
  return value < 0 ? -size : size;
}

function stepOf(a: number | bigint, b: number | bigint): number {
  if (b < a) return Number(b);
  return typeof a === "bigint" ? Number((b as bigint) - a) : (b as number) - a;
}

function percentileOf(percent: number, numbers: number[]): number {
  const sorted = numbers.sort((a, b) => a - b || 0);
  const rank = (percent * (sorted.length - 1)) / 100;
  const [below, above] = [sorted[Math.floor(rank)]!, sorted[Math.ceil(rank)]!];
  if (below === above) return below;
  const share = rank - Math.floor(rank);
  if (share === 0) return below;
  return Number.isFinite(above - below) ? below + (above - below) * share : below * (1 - share) + above * share;
}
