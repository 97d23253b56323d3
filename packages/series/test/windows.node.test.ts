/** Windows against a naive implementation: every aggregate, fills, batches cut anywhere. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Aggregate, WindowRow } from "../src/api.ts";
import { WindowAggregator } from "../src/window/aggregator.ts";
import { windowPlan } from "../src/window/plan.ts";
import { naive, run, type TestPoint, type WindowTest, windowBatches } from "./harness/naive-windows.ts";

const KINDS: readonly Aggregate[] = ["min", "max", "sum", "avg", "count", "first", "last", "increase", "rate"];
const PERCENTILES: readonly Aggregate[] = ["p0", "p50", "p90", "p99.9", "p100", "p33.3"];

/** Rows are equal; sums as far as their rounding allows, and zeros of both signs. */
function expectRows(actual: readonly WindowRow[], expected: readonly WindowRow[], points: readonly TestPoint[]): void {
  const size = points.reduce(
    (sum, { value }) => sum + (Number.isFinite(Number(value)) ? Math.abs(Number(value)) : 0),
    0,
  );
  const isInt64 = points.some(({ value }) => typeof value === "bigint");
  const without = (rows: readonly WindowRow[]) =>
    rows.map(({ sum: _sum, avg: _avg, ...row }) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value === 0 ? 0 : value])),
    );
  expect(without(actual)).toEqual(without(expected));
  actual.forEach((row, i) => {
    for (const name of ["sum", "avg"] as const) {
      const [a, b] = [row[name], expected[i]![name]];
      if (typeof a !== "number" || typeof b !== "number" || !Number.isFinite(b)) expect(a).toBe(b);
      // Sums are compensated; int64 are rounded before they are added.
      else expect(Math.abs(a - b)).toBeLessThanOrEqual(4e-16 * Math.abs(b) + (isInt64 ? 2e-16 : 1e-28) * size + 1e-300);
    }
  });
}

async function check(query: WindowTest): Promise<void> {
  expectRows(await run(query), naive(query), query.points);
}

const float = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: -5, max: 50 }) },
  { weight: 2, arbitrary: fc.double({ min: -1e150, max: 1e150, noNaN: true }) },
  { weight: 1, arbitrary: fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0) },
);
const int64 = fc.oneof(
  fc.bigInt({ min: -3n, max: 50n }),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.bigInt({ min: 2n ** 60n, max: 2n ** 60n + 100n }),
  fc.constantFrom(-(2n ** 63n), 2n ** 63n - 1n, 2n ** 32n, -(2n ** 32n), 2n ** 31n, -1n, 0n),
);

/** Queries with points; most gaps are short, some span many windows. */
function query<V extends number | bigint>(value: fc.Arbitrary<V>, isInt64: boolean): fc.Arbitrary<WindowTest> {
  const gap = fc.oneof({ weight: 6, arbitrary: fc.integer({ min: 1, max: 9 }) }, fc.integer({ min: 10, max: 300 }));
  return fc
    .record({
      first: fc.oneof(fc.nat({ max: 40 }), fc.nat({ max: 2 ** 41 })),
      steps: fc.array(fc.tuple(gap, value), { maxLength: 60 }),
      window: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.constantFrom(1000, 86_400_000, 2 ** 42)),
      origin: fc.oneof(fc.constant(0), fc.integer({ min: -100, max: 100 }), fc.maxSafeInteger()),
      aggregate: fc.uniqueArray(fc.constantFrom(...KINDS, ...PERCENTILES), { minLength: 1 }),
      fill: fc.constantFrom("none", "null", "previous", "linear"),
      margins: fc.tuple(fc.option(fc.nat({ max: 500 })), fc.option(fc.nat({ max: 500 }))),
      before: fc.option(value, { nil: undefined }),
      batches: fc.array(fc.nat({ max: 20 }), { maxLength: 6 }),
    })
    .map(({ first, steps, margins: [early, late], ...rest }) => {
      const points: TestPoint[] = [];
      let time = first;
      for (const [step, each] of steps) points.push({ time: (time += step), value: each });
      const from = early === null ? undefined : Math.max(0, (points[0]?.time ?? first) - early);
      return { ...rest, points, isInt64, from, to: late === null ? undefined : time + 1 + late } as WindowTest;
    });
}

describe("as the naive implementation says", () => {
  test("floats", async () => {
    await fc.assert(fc.asyncProperty(query(float, false), check), { numRuns: 1000 });
  });

  test("int64", async () => {
    await fc.assert(fc.asyncProperty(query(int64, true), check), { numRuns: 1000 });
  });

  test.each([[1], [7], [60], [100_000]])("many points in windows of %d", async (window) => {
    const all = Array.from({ length: 6000 }, (_, time) => ({ time, value: (time * 7919) % 1001 }));
    const points = all.filter(({ time }) => time % 11 !== 0);
    const batches = [1, 2000, 0, 1023, 900];
    await check({ window, aggregate: [...KINDS, ...PERCENTILES], points, batches });
  });
});

const times = (...list: number[]): TestPoint[] => list.map((time, i) => ({ time, value: i + 1 }));

test("a result that is NaN is not null", async () => {
  const infinite = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY].map((value, i) => ({ time: i, value }));
  const points = [...infinite, { time: 10, value: Number.NaN }, { time: 30, value: 1 }];
  const aggregate = ["sum", "avg", "p50", "max", "first"] as const;
  const computed = { sum: Number.NaN, avg: Number.NaN, p50: Number.NaN, max: Infinity, first: Infinity };
  const none = { sum: null, avg: null, p50: null, max: null };
  const noNumber = { sum: Number.NaN, avg: Number.NaN, p50: Number.NaN, max: Number.NaN };
  const one = { sum: 1, avg: 1, p50: 1, max: 1, first: 1 };
  expect(await run({ window: 10, aggregate, points, fill: "null" })).toEqual([
    { start: 0, ...computed },
    { start: 10, ...noNumber, first: Number.NaN },
    { start: 20, ...none, first: null },
    { start: 30, ...one },
  ]);
  const previous = await run({ window: 1, aggregate, points, fill: "previous", to: 3000 });
  expect(previous.slice(1, 12)).toEqual([
    { start: 1, sum: -Infinity, avg: -Infinity, p50: -Infinity, max: -Infinity, first: -Infinity },
    ...Array.from({ length: 8 }, (_, i) => ({
      start: i + 2,
      sum: -Infinity,
      avg: -Infinity,
      p50: -Infinity,
      max: -Infinity,
      first: -Infinity,
    })),
    ...[10, 11].map((start) => ({ start, ...noNumber, first: Number.NaN })),
  ]);
  expect(previous.length).toBe(3000);
  expect(previous.slice(30)).toEqual(previous.slice(30).map(({ start }) => ({ start, ...one })));
});

test("a window before a batch is repeated as it is", async () => {
  const points = [Number.NaN, Number.NaN].map((value, i) => ({ time: i, value }));
  const rows = await run({ window: 1, aggregate: ["max", "last"], points, fill: "previous", to: 2000 });
  expect(rows).toEqual(rows.map(({ start }) => ({ start, max: Number.NaN, last: Number.NaN })));
});

test("windows are half-open and aligned to the origin", async () => {
  const points = times(0, 9, 10, 19, 20, 35);
  expect(await run({ window: 10, aggregate: ["count"], points })).toEqual([
    { start: 0, count: 2 },
    { start: 10, count: 2 },
    { start: 20, count: 1 },
    { start: 30, count: 1 },
  ]);
  for (const origin of [5, -5, 105, -1_000_000_005])
    expect(await run({ window: 10, origin, aggregate: ["count", "first"], points })).toEqual([
      { start: -5, count: 1, first: 1 },
      { start: 5, count: 2, first: 2 },
      { start: 15, count: 2, first: 4 },
      { start: 35, count: 1, first: 6 },
    ]);
});

test("starts are in the unit of the store", async () => {
  const points = times(1000, 2000, 61_000);
  expect(await run({ window: 60_000, origin: 1, aggregate: ["sum"], points, unitMs: 1000 })).toEqual([
    { start: 1, sum: 3 },
    { start: 61, sum: 3 },
  ]);
});

test("NaN counts in count, first and last only", async () => {
  const points = [Number.NaN, 5, Number.NaN, Number.NaN].map((value, i) => ({ time: 10 * i, value }));
  const aggregate = [...KINDS, "p50"] as const;
  const nan = Number.NaN;
  const nothing = { min: nan, max: nan, sum: nan, avg: nan, increase: null, rate: null, p50: nan };
  expect(await run({ window: 20, aggregate, points })).toEqual([
    {
      start: 0,
      count: 2,
      first: Number.NaN,
      last: 5,
      min: 5,
      max: 5,
      sum: 5,
      avg: 5,
      increase: null,
      rate: null,
      p50: 5,
    },
    { start: 20, count: 2, first: Number.NaN, last: Number.NaN, ...nothing },
  ]);
});

test("increase continues across windows, starts with the point before the range, and handles resets", async () => {
  const points = [3, 7, 2, 4].map((value, i) => ({ time: [0, 5, 10, 95][i]!, value }));
  const increases = async (before?: number) =>
    (await run({ window: 10, aggregate: ["increase", "rate"], points, before })).map(({ increase, rate }) => [
      increase,
      rate,
    ]);
  expect(await increases()).toEqual([
    [4, 400],
    [2, 200],
    [2, 200],
  ]);
  expect((await increases(1))[0]).toEqual([6, 600]);
  expect((await increases(5))[0]).toEqual([7, 700]);
  expect((await increases(Number.NaN))[0]).toEqual([4, 400]);
});

test("steps of int64 counters are exact where floats are not", async () => {
  const points = [10n, 11n, 13n].map((n, i) => ({ time: i, value: 2n ** 62n + n }));
  expect(await run({ window: 10, aggregate: ["increase", "max"], points, isInt64: true })).toEqual([
    { start: 0, increase: 3, max: 2n ** 62n + 13n },
  ]);
});

test("sums lose nothing to large values that cancel out", async () => {
  const points = [1, 1e100, 1, -1e100].map((value, time) => ({ time, value }));
  expect(await run({ window: 10, aggregate: ["sum", "avg"], points })).toEqual([{ start: 0, sum: 2, avg: 0.5 }]);
  const tenths = Array.from({ length: 10 }, (_, time) => ({ time, value: 0.1 }));
  expect(await run({ window: 10, aggregate: ["sum"], points: tenths })).toEqual([{ start: 0, sum: 1 }]);
});

test("percentiles are linear between ranks", async () => {
  const points = [40, 10, 30, 20].map((value, time) => ({ time, value }));
  const aggregate = ["p0", "p25", "p50", "p99.9", "p100"] as const;
  expect(await run({ window: 10, aggregate, points })).toEqual([
    { start: 0, p0: 10, p25: 17.5, p50: 25, "p99.9": 39.97, p100: 40 },
  ]);
});

test("windows without points: left out, null, or as the one before", async () => {
  const points = times(25, 51);
  const bounds = { from: 5, to: 70 };
  const rows = async (fill: "none" | "null" | "previous", range: object) =>
    (await run({ window: 10, aggregate: ["last"], fill, points, ...range })).map(({ start, last }) => [start, last]);
  expect(await rows("none", bounds)).toEqual([
    [20, 1],
    [50, 2],
  ]);
  const starts = [0, 10, 20, 30, 40, 50, 60];
  const filled = (values: (number | null)[]) => starts.map((start, i) => [start, values[i]]);
  expect(await rows("null", bounds)).toEqual(filled([null, null, 1, null, null, 2, null]));
  expect(await rows("previous", bounds)).toEqual(filled([null, null, 1, 1, 1, 2, 2]));
  expect(await rows("null", {})).toEqual(filled([null, null, 1, null, null, 2]).slice(2, 6));
  expect(await rows("null", { to: 61 })).toEqual(filled([null, null, 1, null, null, 2, null]).slice(2));
  expect(await rows("null", { to: 60 })).toEqual(filled([null, null, 1, null, null, 2]).slice(2, 6));
  expect(await rows("null", { from: 10 })).toEqual(filled([null, null, 1, null, null, 2]).slice(1, 6));
});

test.each([
  [{ from: 5, to: 25 }, [0, 10, 20]],
  [{ from: 5, to: 5 }, []],
  [{ from: 9, to: 5 }, []],
  // Points are at whole numbers: 10 is the only one in this range, and none is in the next.
  [{ from: 9.5, to: 10.5 }, [10]],
  [{ from: 10.2, to: 10.5 }, []],
  [{ from: 5 }, []],
  [{ to: 25 }, []],
  [{}, []],
  [{ from: 5, to: Number.POSITIVE_INFINITY }, []],
])("without points, the range %j is filled with windows at %j", async (range, starts) => {
  const rows = await run({ window: 10, aggregate: ["count"], fill: "null", points: [], ...range });
  expect(rows).toEqual(starts.map((start) => ({ start, count: null })));
});

test("batches of windows grow, and are marked where they have no values", async () => {
  const plan = windowPlan({ window: 1, aggregate: ["max", "p50"], fill: "previous" }, { from: 0, to: 3000 }, 1);
  const aggregator = new WindowAggregator(plan, true);
  const lengths: number[] = [];
  const empty: number[] = [];
  const values = new BigInt64Array([5n]);
  const point = { floats: new Float64Array(values.buffer), words: new Int32Array(values.buffer) };
  const runs = [{ times: Float64Array.of(100), values: point, from: 0, to: 1 }];
  for (const { length, starts, columns, empty: bits } of windowBatches(aggregator, runs)) {
    expect([starts.length, columns.max!.length, columns.p50!.length, bits.length]).toEqual([
      length,
      length,
      length,
      Math.ceil(length / 8),
    ]);
    for (let i = 0; i < length; i++) {
      if ((bits[i >> 3]! & (1 << (i & 7))) !== 0) {
        empty.push(starts[i]!);
        expect([columns.max![i], columns.p50![i]]).toEqual([0n, Number.NaN]);
      } else expect([columns.max![i], columns.p50![i]]).toEqual([5n, 5]);
    }
    lengths.push(length);
  }
  expect(lengths).toEqual([64, 256, 1024, 1024, 632]);
  expect(empty).toEqual(Array.from({ length: 100 }, (_, i) => i));
});
