/** Misspelled properties of metrics and points are refused with a suggestion: a tag that is lost would write into another metric. */
import { beforeEach, describe, expect, test } from "vitest";
import { files, memory, openSeries, repair } from "../build/index.js";
import type { MetricSet, Series } from "../src/api.ts";

let series: Series;
const wrong = <T>(value: unknown): T => value as T;
const NOW = 1_700_000_000_000;

beforeEach(async () => {
  series = await openSeries({ driver: memory(), now: () => NOW });
  await series.write([{ metric: { name: "cpu" }, timestamp: NOW, value: 1 }]);
  return () => series.close();
});

const METRICS: readonly [name: string, metric: object, text: RegExp][] = [
  [
    "tag, of a name that is known",
    { name: "cpu", tag: { host: "a" } },
    /"tag" is not a property .*did you mean tags\?/,
  ],
  ["tag, of a new name", { name: "new", tag: { host: "a" } }, /"tag" is not a property .*did you mean tags\?/],
  [
    "tpye, with tags",
    { name: "new", tags: { host: "a" }, tpye: "int64" },
    /"tpye" is not a property .*did you mean type\?/,
  ],
  ["labels", { name: "cpu", labels: {} }, /"labels" is not a property of a metric: it has name, tags and type$/],
];
const CALLS: readonly [name: string, call: (metric: never) => unknown][] = [
  ["metric", (metric) => series.metric(metric)],
  ["write", (metric) => series.write([{ metric, timestamp: NOW, value: 1 }])],
  ["writeColumn", (metric) => series.writeColumn(metric, Float64Array.of(NOW), Float64Array.of(1))],
  ["metricSet", (metric) => series.metricSet([metric])],
  ["query", async (metric) => await series.query({ metric }).toArray()],
  ["last", (metric) => series.last(metric)],
  ["delete", (metric) => series.delete({ metric })],
  [
    "select",
    async (metric) => {
      for await (const _ of series.select({ metrics: [metric] }).batches());
    },
  ],
];

describe.each(METRICS)("%s", (_, metric, message) => {
  test.each(CALLS)("%s: ERR_INVALID_ARGUMENT", async (_name, call) => {
    const error = await (async () => await call(metric as never))().catch((e: unknown) => e);
    expect(error).toMatchObject({ code: "ERR_INVALID_ARGUMENT", message: expect.stringMatching(message) });
    expect((await series.stats()).metrics).toBe(1);
    expect(await series.query({ metric: { name: "cpu" } }).toArray()).toHaveLength(1);
  });
});

test("in a large call the last metric is checked, too, before anything is written", async () => {
  const metrics = Array.from({ length: 2000 }, (_, i) => ({ name: "m", tags: { i: String(i) } }));
  const all = [...metrics, wrong<{ name: string }>({ name: "m", tgas: {} })];
  await expect(series.metricSet(all)).rejects.toMatchObject({ code: "ERR_INVALID_ARGUMENT" });
  const points = all.map((metric) => ({ metric, timestamp: NOW, value: 1 }));
  await expect(series.write(points)).rejects.toMatchObject({ code: "ERR_INVALID_ARGUMENT" });
  expect((await series.stats()).metrics).toBe(1);
});

test("handles, also of other stores, and copies of them are metrics", async () => {
  const other = await openSeries({ driver: memory() });
  const handle = await other.metric({ name: "cpu" });
  expect(await series.last(handle)).toEqual({ timestamp: NOW, value: 1 });
  expect(await series.last({ ...handle })).toEqual({ timestamp: NOW, value: 1 });
  const set: MetricSet = await series.metricSet([handle, { name: "new", tags: undefined } as never]);
  expect(set.size).toBe(2);
  await other.close();
});

test.each([
  ["valu", { metric: { name: "cpu" }, timestamp: NOW, valu: 1 }, "value"],
  ["time", { metric: { name: "cpu" }, timestmp: NOW, value: 1 }, "timestamp"],
  ["metrc", { metrc: { name: "cpu" }, timestamp: NOW, value: 1 }, "metric"],
  ["valu, of a new metric", { metric: { name: "new" }, timestamp: NOW, valu: 1 }, "value"],
])("a point with %s", async (_, point, right) => {
  await expect(series.write([wrong(point)])).rejects.toMatchObject({
    code: "ERR_INVALID_ARGUMENT",
    message: expect.stringContaining(`did you mean ${right}?`),
  });
});

test.each([[5], [undefined], [""], ["a\0b"]])("repair(%j): ERR_INVALID_ARGUMENT", async (path) => {
  await expect(repair(path as string)).rejects.toMatchObject({ code: "ERR_INVALID_ARGUMENT" });
});

test.each([
  [{ prefx: "a" }, /"prefx" is not a known property of the matcher of tag "a": did you mean prefix\?$/],
  [{ nto: "a" }, /"nto" is not a known property of the matcher of tag "a": did you mean not\?$/],
  [{ not: { prefix: "a", prefx: "b" } }, /"prefx" is not a known property .*did you mean prefix\?$/],
  [{ not: "a", prefix: "b" }, /"prefix" is not a known property of the matcher of tag "a" with not$/],
])("the matcher %j", async (matcher, message) => {
  const tags = { a: wrong<string>(matcher) };
  for (const call of [() => series.metrics({ tags }), () => series.select({ tags })])
    await expect((async () => await call())()).rejects.toMatchObject({
      code: "ERR_INVALID_ARGUMENT",
      message: expect.stringMatching(message),
    });
});

test.each([[{ path: "./history" }], ["./history"], [null]])("files(%j) and memory(%j) are refused", (argument) => {
  for (const driver of [files, memory])
    expect(() => driver(wrong<never>(argument))).toThrow(
      expect.objectContaining({ code: "ERR_INVALID_ARGUMENT", message: expect.stringContaining("openSeries") }),
    );
  expect([files(wrong<never>(undefined)).name, memory().name]).toEqual(["files", "memory"]);
});
