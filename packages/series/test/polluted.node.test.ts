/** A polluted Object.prototype changes no option and no result. */
// Loaded before it is polluted: the loader of tests does not work afterwards.
import "re2js";
import { afterEach, beforeEach, expect, test } from "vitest";
import { memory } from "../src/drivers/files.ts";
import { openSeries } from "../src/open.ts";
import { readOptions } from "../src/options.ts";

const POLLUTION: Record<string, unknown> = {
  path: "polluted",
  unit: "us",
  durability: "all",
  syncEvery: -1,
  retention: 1,
  grace: -1,
  rollupAfter: true,
  maxAhead: 0,
  maxHeadBytes: 1,
  readOnly: true,
  migrate: true,
  undecodable: "ignore",
  onWarning: 5,
  now: () => 0,
  skipNaN: 5,
  from: "polluted",
  to: "polluted",
  reverse: 5,
  limit: -1,
  window: "polluted",
  fill: 5,
  origin: "polluted",
  signal: 5,
  name: 5,
  tags: 5,
  type: "polluted",
  host: "polluted",
  matchers: 5,
  metrics: 5,
  maxPoints: -1,
  default: "polluted",
  rules: 5,
  keep: "polluted",
  timeZone: "polluted",
  summarize: "polluted",
  // Parts of the package's own objects.
  summary: 5,
  summaries: 5,
  list: "polluted",
  counts: 5,
};
const NOW = 1_700_000_000_000;

beforeEach(() => {
  for (const [key, value] of Object.entries(POLLUTION))
    Object.defineProperty(Object.prototype, key, { value, configurable: true, writable: true });
});
afterEach(() => {
  for (const key of Object.keys(POLLUTION)) Reflect.deleteProperty(Object.prototype, key);
});

test("options of a store", () => {
  expect(readOptions({ driver: memory() })).toMatchObject({
    path: undefined,
    unitMs: 1,
    durability: "batch",
    readOnly: false,
    undecodable: "throw",
  });
});

test("rules of retention, and loops that watch", async () => {
  const retention = { rules: [{ name: "load", keep: "1h" }] } as const;
  const series = await openSeries({ driver: memory(), now: () => NOW, retention });
  const watched = (async () => {
    for await (const { points } of series.watch({})) return points.length;
    return 0;
  })();
  const points = ["load", "cpu"].map((name) => ({ metric: { name, tags: {} }, timestamp: NOW - 7_200_000, value: 1 }));
  expect(await series.write(points)).toEqual({ accepted: 1, late: 0, refused: 1, firstRefused: 0 });
  expect(await watched).toBe(1);
  await series.close();
});

test("metrics without tags and types", async () => {
  const series = await openSeries({ driver: memory(), now: () => NOW });
  const metric = { name: "bare" };
  expect(await series.write([{ metric, timestamp: NOW, value: 1 }])).toMatchObject({ accepted: 1 });
  expect(await series.writeColumn(metric, Float64Array.of(NOW + 1), Float64Array.of(2))).toMatchObject({ accepted: 1 });
  const set = await series.metricSet([metric]);
  await series.writeScrape(NOW + 2, set, Float64Array.of(3));
  const many = Array.from({ length: 600 }, (_, i) => ({ metric: { name: `bare${i}` }, timestamp: NOW, value: i }));
  expect(await series.write(many)).toMatchObject({ accepted: 600 });
  expect(await series.metric(metric)).toMatchObject({ name: "bare", tags: {}, type: "float" });
  expect(await series.last(metric)).toEqual({ timestamp: NOW + 2, value: 3 });
  expect(await series.query({ metric: { name: "bare599" } }).toArray()).toEqual([{ timestamp: NOW, value: 599 }]);
  await series.close();
});

test("kept summaries", async () => {
  const summarize = [{ window: "5m", aggregate: ["max"], keep: "1d" }] as const;
  const series = await openSeries({ driver: memory(), now: () => NOW, summarize });
  const metric = { name: "load", tags: {} };
  await series.writeColumn(metric, Float64Array.of(NOW - 3_600_000, NOW), Float64Array.of(7, 8));
  await series.flush();
  await series.compact();
  const rows = await series.query({ metric, window: "1h", aggregate: ["max"], to: NOW - 1_800_000 }).toArray();
  expect(rows.map(({ max }) => max)).toEqual([7]);
  await series.close();
});

test("writes, queries, windows and selections", async () => {
  const series = await openSeries({ driver: memory(), now: () => NOW });
  const metric = { name: "load", tags: { dc: "a" } };
  expect(await series.write([{ metric, timestamp: NOW, value: 1 }])).toEqual({ accepted: 1, late: 0, refused: 0 });
  const set = await series.metricSet([metric]);
  await series.writeScrape(NOW + 1, set, Float64Array.of(NaN), {});
  expect(await series.query({ metric }).toArray()).toEqual([
    { timestamp: NOW, value: 1 },
    { timestamp: NOW + 1, value: NaN },
  ]);
  const windows = series.query({ metric, window: "1m", aggregate: ["count"] });
  expect((await windows.toArray()).map(({ count }) => count)).toEqual([2]);
  const found: string[] = [];
  for (const dc of ["a", /a+/, { prefix: "a" }, { not: /\bb/ }])
    for await (const { metric: one } of series.select({ name: "load", tags: { dc } })) found.push(one.name);
  expect(found).toEqual(["load", "load", "load", "load"]);
  expect(await series.tagValues("host", {})).toEqual([]);
  await series.delete({ metric });
  expect(await series.last(metric)).toBeUndefined();
  await series.close();
});
