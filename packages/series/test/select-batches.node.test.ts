/** `select().batches()`: many metrics in each batch, with exactly the rows of a query of each metric. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { files } from "../build/drivers/files.js";
import { openSeries } from "../build/index.js";
import type { Aggregate, Selection, Series } from "../src/api.ts";
import type { MetricHandle } from "../src/metric/metric.ts";
import { compareBatches, rowsOfBatches } from "./harness/select-batches.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOW = Date.UTC(2023, 10, 14, 6);
const START = NOW - 5 * HOUR;
const folder = mkdtempSync(join(tmpdir(), "moonpack-batches-"));
let series: Series;
let handles: MetricHandle[];

const SPECIAL = [Number.NaN, -0, 0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e308, -1e308, 0.1];
/** A value with many digits, or a special one. */
const floatOf = (metric: number, tick: number) =>
  (7 * metric + tick) % 11 === 0 ? SPECIAL[(metric + tick) % SPECIAL.length]! : Math.sin(metric + tick * 0.37) * 1000;

/** Metrics of both types: dense and sparse, in several blocks, with late blocks, deletes, and points that are not sealed. */
beforeAll(async () => {
  series = await openSeries({ path: join(folder, "store"), driver: files(), now: () => NOW });
  handles = [];
  for (let i = 0; i < 60; i++)
    handles.push(
      await series.metric({
        name: i % 3 === 0 ? "counter" : "gauge",
        tags: { i: String(i) },
        ...(i % 4 === 0 && { type: "int64" as const }),
      }),
    );
  const write = async (metric: number, ticks: readonly number[], offset = 0) => {
    const handle = handles[metric]!;
    const times = Float64Array.from(ticks, (tick) => START + tick * 30_000 + offset);
    const values =
      handle.type === "int64"
        ? BigInt64Array.from(ticks, (tick) => 2n ** 60n + BigInt(metric * tick * tick))
        : Float64Array.from(ticks, (tick) => floatOf(metric, tick + offset));
    await series.writeColumn(handle, times, values);
  };
  const range = (from: number, to: number, step = 1) =>
    Array.from({ length: (to - from) / step }, (_, i) => from + i * step);
  for (let m = 0; m < 50; m++) await write(m, m % 5 === 0 ? range(0, 200, 40) : range(0, 200));
  await series.flush();
  for (let m = 0; m < 40; m++) await write(m, range(200, 320));
  await series.flush();
  // Late: between other points, instead of them, and where a metric has no others.
  for (let m = 0; m < 20; m++) await write(m, range(10, 60, 7), m % 2 === 0 ? 0 : 7);
  await write(55, range(5, 300, 50));
  await series.flush();
  await series.delete({ metric: handles[3]!, from: START + 20 * 30_000, to: START + 90 * 30_000 });
  await series.delete({ metric: handles[8]!, to: NOW });
  await series.delete({ metric: handles[30]! });
  for (let m = 5; m < 25; m++) await write(m, range(m % 2 === 0 ? 330 : 300, 400, 3));
});

afterAll(async () => {
  await series.close();
  rmSync(folder, { recursive: true });
});

const aggregates: readonly Aggregate[] = [
  "min",
  "max",
  "sum",
  "avg",
  "count",
  "first",
  "last",
  "increase",
  "rate",
  "p50",
  "p99.9",
];
const time = fc.option(
  fc.integer({ min: -10, max: 420 }).map((tick) => START + tick * 30_000),
  { nil: undefined },
);
const match = fc.constantFrom(
  {},
  { name: "gauge" },
  { name: { not: "gauge" } },
  { tags: { i: /1\d?/ } },
  { name: "nothing" },
);
const selections = fc
  .record({
    match,
    from: time,
    to: time,
    window: fc.constantFrom(20_000, MINUTE, HOUR, 3 * HOUR, 24 * HOUR, "1d"),
    timeZone: fc.constantFrom(undefined, "Europe/Berlin", "Asia/Kathmandu"),
    reverse: fc.boolean(),
    limit: fc.option(fc.nat(300), { nil: undefined }),
    origin: fc.constantFrom(0, 12_345),
    aggregate: fc.uniqueArray(fc.constantFrom(...aggregates), { minLength: 1 }),
    fill: fc.constantFrom("none", "null", "previous", "linear"),
  })
  .map(({ match: chosen, ...rest }) => ({ ...chosen, ...rest }) as Selection);

describe("the rows of a query of each metric", () => {
  test("windows", async () => {
    await fc.assert(
      fc.asyncProperty(selections, async (selection) => void (await compareBatches(series, selection))),
      { numRuns: 150 },
    );
  });

  test("windows of summaries alone", async () => {
    const plain = ["min", "max", "sum", "avg", "count", "first", "last"] as const;
    for (const window of [HOUR, 3 * HOUR, 24 * HOUR])
      for (const fill of ["none", "null", "previous"] as const)
        await compareBatches(series, { from: START, to: NOW, window, aggregate: plain, fill });
  });

  test("points", async () => {
    const limit = fc.option(fc.nat(50), { nil: undefined });
    const points = fc.record({ match, from: time, to: time, limit, reverse: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(points, async ({ match: chosen, ...rest }) => {
        await compareBatches(series, { ...chosen, ...rest } as Selection);
      }),
      { numRuns: 60 },
    );
  });

  test("more rows of a metric than a batch has", async () => {
    const selection: Selection = { from: START, to: NOW, window: "1s", aggregate: ["last"], fill: "previous" };
    expect(await compareBatches(series, selection)).toBe(59 * 5 * 3600);
  });

  test("more metrics than a batch has, most of them without points", async () => {
    const many = await openSeries({ path: join(folder, "many"), driver: files(), now: () => NOW });
    const set = await many.metricSet(Array.from({ length: 9000 }, (_, i) => ({ name: "m", tags: { i: String(i) } })));
    await many.writeColumn(set.metrics[7]!, Float64Array.of(NOW - 5), Float64Array.of(3));
    const rows = await rowsOfBatches(many, { window: "1m", aggregate: ["avg"] });
    expect([rows.size, rows.get(set.metrics[7]!.id)]).toEqual([9000, [{ start: NOW - MINUTE, avg: 3 }]]);
    await many.flush();
    await compareBatches(many, { window: "1m", aggregate: ["avg"] });
    await many.close();
  });

  test("of a store that another one writes", async () => {
    const reader = await openSeries({ path: join(folder, "store"), driver: files(), readOnly: true, now: () => NOW });
    await compareBatches(reader, { from: START, window: "1h", aggregate: ["avg", "rate"] });
    await compareBatches(reader, {});
    const once = (function* () {
      yield { name: "gauge", tags: { i: "1" } };
    })();
    expect([...(await rowsOfBatches(reader, { metrics: once })).keys()]).toEqual([handles[1]!.id]);
    expect(() => reader.select({ metrics: 5 } as unknown as Selection)).toThrow("metrics must be a list of metrics");
    await reader.close();
  });
});

describe("a list of metrics", () => {
  test("in its order, by handles or names; those that do not exist are left out", async () => {
    const metrics = [handles[7]!, { name: "unknown" }, { name: "gauge", tags: { i: "5" } }, handles[1]!, handles[30]!];
    const names: string[] = [];
    for await (const { metric } of series.select({ metrics })) names.push(metric.tags.i!);
    expect(names).toEqual(["7", "5", "1"]);
    const batched: string[] = [];
    for await (const batch of series.select({ metrics, window: "1d", aggregate: ["count"] }).batches())
      batched.push(...batch.metrics.map(({ tags }) => tags.i!));
    expect(batched).toEqual(names);
    await compareBatches(series, { metrics: new Set(metrics), from: START, window: "1h", aggregate: ["sum"] });
  });

  test.each([
    ["a number", { metrics: 5 }],
    ["with a name", { metrics: [], name: "gauge" }],
    ["with tags", { metrics: [], tags: { i: "1" } }],
  ])("%s: ERR_INVALID_ARGUMENT at once", (_, selection) => {
    expect(() => series.select(selection as unknown as Selection)).toThrow(
      expect.objectContaining({ code: "ERR_INVALID_ARGUMENT" }),
    );
  });

  test("is not an option of a query", () => {
    const query = { metric: handles[0]!, metrics: [] };
    expect(() => series.query(query)).toThrow(expect.objectContaining({ code: "ERR_INVALID_ARGUMENT" }));
  });
});

describe("a loop", () => {
  const selection = { from: START, to: NOW, window: "1s", aggregate: ["avg"], fill: "null" } as const;

  test("reads no more than it takes", async () => {
    let batches = 0;
    for await (const { length } of series.select(selection).batches()) {
      batches++;
      expect(length).toBeLessThanOrEqual(64);
      break;
    }
    expect(batches).toBe(1);
  });

  test("ends when its signal aborts", async () => {
    const controller = new AbortController();
    let batches = 0;
    const loop = async () => {
      for await (const _ of series.select({ ...selection, signal: controller.signal }).batches())
        if (++batches === 3) controller.abort();
    };
    await expect(loop()).rejects.toMatchObject({ code: "ERR_ABORTED" });
    expect(batches).toBeLessThan(6);
  });

  test("ends when the store is closed", async () => {
    const other = await openSeries({ path: join(folder, "closing"), driver: files(), now: () => NOW });
    const set = await other.metricSet(Array.from({ length: 5000 }, (_, i) => ({ name: "m", tags: { i: String(i) } })));
    await other.writeScrape(NOW - MINUTE, set, new Float64Array(5000));
    const batches = other.select({}).batches()[Symbol.asyncIterator]();
    await batches.next();
    await other.close();
    await expect(batches.next()).rejects.toMatchObject({ code: "ERR_CLOSED" });
  });
});
