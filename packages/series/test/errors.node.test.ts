/** Errors of calls: arguments that are wrong, calls on a store that is closed or open for reading, reads that are aborted. */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memory, openSeries } from "@moonpack/series";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import type { MetricSet, Series } from "../src/api.ts";

const NOW = 1_700_000_000_000;
const folder = mkdtempSync(join(tmpdir(), "moonpack-errors-"));
afterAll(() => rmSync(folder, { recursive: true }));
/** Is never made. */
const NOWHERE = join(folder, "nowhere");
const metric = { name: "m" };
const int64 = { name: "i", type: "int64" } as const;

/** Arguments from untyped callers. */
// biome-ignore lint/suspicious/noExplicitAny: that is what is tested.
const wrong = (value: unknown) => value as any;

let series: Series;
let set: MetricSet;
beforeEach(async () => {
  series = await openSeries({ driver: memory(), now: () => NOW });
  await series.write([
    { metric, timestamp: NOW, value: 1 },
    { metric: int64, timestamp: NOW, value: 1n },
  ]);
  set = await series.metricSet([metric]);
});
afterEach(() => series.close());

/** The code of the error with which a call fails. Errors without a code are not ours. */
async function codeOf(act: () => unknown): Promise<string> {
  try {
    const result = await act();
    // Reads begin when they are iterated.
    if (typeof result === "object" && result !== null && Symbol.asyncIterator in result)
      for await (const _ of result as AsyncIterable<unknown>);
  } catch (error) {
    return String((error as { code?: unknown }).code ?? error);
  }
  return "no error";
}

const float = (n: number) => new Float64Array(n);

describe("arguments that are wrong", () => {
  const cases: readonly [name: string, code: string, act: () => unknown][] = [
    ["no options", "ERR_INVALID_ARGUMENT", () => openSeries(wrong(undefined))],
    ["an unknown option", "ERR_INVALID_ARGUMENT", () => openSeries(wrong({ path: "x", retentoin: "1d" }))],
    ["no path", "ERR_INVALID_ARGUMENT", () => openSeries({})],
    [
      "a driver whose own error has no code",
      "ERR_SERIES_STORE",
      () => openSeries({ driver: { name: "mine", openStore: () => Promise.reject(new Error("mine")) } }),
    ],
    ["a path for memory()", "ERR_INVALID_ARGUMENT", () => openSeries({ driver: memory(), path: NOWHERE })],
    ["dropOld without retention", "ERR_INVALID_ARGUMENT", () => series.dropOld()],
    ["a backup of memory()", "ERR_INVALID_ARGUMENT", () => series.backup(NOWHERE)],

    ["a metric that is undefined", "ERR_INVALID_ARGUMENT", () => series.metric(wrong(undefined))],
    ["a metric that is a text", "ERR_INVALID_ARGUMENT", () => series.metric(wrong("m"))],
    ["a metric without a name", "ERR_INVALID_METRIC", () => series.metric(wrong({}))],
    ["an empty name", "ERR_INVALID_METRIC", () => series.metric({ name: "" })],
    ["a name of 256 bytes", "ERR_INVALID_METRIC", () => series.metric({ name: "é".repeat(128) })],
    ["a name that is not well-formed", "ERR_INVALID_METRIC", () => series.metric({ name: "a\ud800" })],
    ["a name with a control character", "ERR_INVALID_METRIC", () => series.metric({ name: "a\nb" })],
    ["tags that are a text", "ERR_INVALID_METRIC", () => series.metric(wrong({ name: "m", tags: "x" }))],
    ["tags that are null", "ERR_INVALID_METRIC", () => series.metric(wrong({ name: "m", tags: null }))],
    ["a tag that is a number", "ERR_INVALID_METRIC", () => series.metric(wrong({ name: "m", tags: { a: 1 } }))],
    ["an empty key", "ERR_INVALID_METRIC", () => series.metric({ name: "m", tags: { "": "x" } })],
    ["a key of 128 bytes", "ERR_INVALID_METRIC", () => series.metric({ name: "m", tags: { ["k".repeat(128)]: "x" } })],
    ["a tag of 1,024 bytes", "ERR_INVALID_METRIC", () => series.metric({ name: "m", tags: { a: "x".repeat(1024) } })],
    [
      "33 tags",
      "ERR_INVALID_METRIC",
      () =>
        series.metric({ name: "m", tags: Object.fromEntries(Array.from({ length: 33 }, (_, i) => [`k${i}`, "x"])) }),
    ],
    [
      "a form of more than 4,096 bytes",
      "ERR_INVALID_METRIC",
      () =>
        series.metric({ name: "m", tags: Object.fromEntries([1, 2, 3, 4, 5].map((i) => [`k${i}`, "x".repeat(1000)])) }),
    ],
    ["an unknown type", "ERR_INVALID_ARGUMENT", () => series.metric(wrong({ name: "new", type: "double" }))],
    [
      "an unknown type of a known metric",
      "ERR_INVALID_ARGUMENT",
      () => series.metric(wrong({ name: "m", type: "double" })),
    ],
    ["another type", "ERR_SERIES_TYPE", () => series.metric({ name: "m", type: "int64" })],

    ["points that are undefined", "ERR_INVALID_ARGUMENT", () => series.write(wrong(undefined))],
    [
      "points that are one point",
      "ERR_INVALID_ARGUMENT",
      () => series.write(wrong({ metric, timestamp: NOW, value: 1 })),
    ],
    ["a point that is null", "ERR_INVALID_ARGUMENT", () => series.write(wrong([null]))],
    ["a point that is a number", "ERR_INVALID_ARGUMENT", () => series.write(wrong([1]))],
    ["a point without a metric", "ERR_INVALID_ARGUMENT", () => series.write(wrong([{ timestamp: NOW, value: 1 }]))],
    ["a time that is a fraction", "ERR_OUT_OF_RANGE", () => series.write([{ metric, timestamp: 0.5, value: 1 }])],
    ["a time before 1970", "ERR_OUT_OF_RANGE", () => series.write([{ metric, timestamp: -1, value: 1 }])],
    ["a time that is NaN", "ERR_OUT_OF_RANGE", () => series.write([{ metric, timestamp: Number.NaN, value: 1 }])],
    ["a time that is a text", "ERR_OUT_OF_RANGE", () => series.write(wrong([{ metric, timestamp: "5", value: 1 }]))],
    [
      "a time that is a date",
      "ERR_OUT_OF_RANGE",
      () => series.write(wrong([{ metric, timestamp: new Date(), value: 1 }])),
    ],
    ["a time that is a bigint", "ERR_OUT_OF_RANGE", () => series.write(wrong([{ metric, timestamp: 5n, value: 1 }]))],
    [
      "a time after the end of time",
      "ERR_OUT_OF_RANGE",
      () => series.write([{ metric, timestamp: 2 ** 46, value: 1 }]),
    ],
    ["no value", "ERR_INVALID_ARGUMENT", () => series.write(wrong([{ metric, timestamp: NOW }]))],
    [
      "a value that is a text",
      "ERR_INVALID_ARGUMENT",
      () => series.write(wrong([{ metric, timestamp: NOW, value: "1" }])),
    ],
    [
      "a value that is null",
      "ERR_INVALID_ARGUMENT",
      () => series.write(wrong([{ metric, timestamp: NOW, value: null }])),
    ],
    ["a bigint for floats", "ERR_SERIES_TYPE", () => series.write([{ metric, timestamp: NOW, value: 1n }])],
    ["a fraction for int64", "ERR_OUT_OF_RANGE", () => series.write([{ metric: int64, timestamp: NOW, value: 0.5 }])],
    [
      "a large number for int64",
      "ERR_OUT_OF_RANGE",
      () => series.write([{ metric: int64, timestamp: NOW, value: 2 ** 53 }]),
    ],
    [
      "a large bigint for int64",
      "ERR_OUT_OF_RANGE",
      () => series.write([{ metric: int64, timestamp: NOW, value: 2n ** 63n }]),
    ],
    [
      "a text for int64",
      "ERR_INVALID_ARGUMENT",
      () => series.write(wrong([{ metric: int64, timestamp: NOW, value: "1" }])),
    ],

    ["metrics of a set that are undefined", "ERR_INVALID_ARGUMENT", () => series.metricSet(wrong(undefined))],
    ["metrics of a set that are one metric", "ERR_INVALID_ARGUMENT", () => series.metricSet(wrong(metric))],
    ["metrics of a set of two types", "ERR_SERIES_TYPE", () => series.metricSet([metric, int64])],
    ["a set that is not a set", "ERR_INVALID_ARGUMENT", () => series.writeScrape(NOW, wrong([metric]), float(1))],
    ["a set that is undefined", "ERR_INVALID_ARGUMENT", () => series.writeScrape(NOW, wrong(undefined), float(1))],
    ["a scrape with a wrong time", "ERR_OUT_OF_RANGE", () => series.writeScrape(-1, set, float(1))],
    ["a scrape with too few values", "ERR_INVALID_ARGUMENT", () => series.writeScrape(NOW, set, float(0))],
    ["a scrape with an array of values", "ERR_INVALID_ARGUMENT", () => series.writeScrape(NOW, set, wrong([1]))],
    [
      "a scrape with values of the other type",
      "ERR_SERIES_TYPE",
      () => series.writeScrape(NOW, set, new BigInt64Array(1)),
    ],
    [
      "options of a scrape that are null",
      "ERR_INVALID_ARGUMENT",
      () => series.writeScrape(NOW, set, float(1), wrong(null)),
    ],
    [
      "an unknown option of a scrape",
      "ERR_INVALID_ARGUMENT",
      () => series.writeScrape(NOW, set, float(1), wrong({ skipNan: true })),
    ],
    [
      "skipNaN that is a number",
      "ERR_INVALID_ARGUMENT",
      () => series.writeScrape(NOW, set, float(1), wrong({ skipNaN: 1 })),
    ],

    [
      "a column with an array of times",
      "ERR_INVALID_ARGUMENT",
      () => series.writeColumn(metric, wrong([NOW]), float(1)),
    ],
    [
      "a column with an array of values",
      "ERR_INVALID_ARGUMENT",
      () => series.writeColumn(metric, float(1), wrong([1])),
    ],
    ["a column without values", "ERR_INVALID_ARGUMENT", () => series.writeColumn(metric, float(1), wrong(undefined))],
    [
      "a column without values, of a new metric",
      "ERR_INVALID_ARGUMENT",
      () => series.writeColumn({ name: "new" }, float(1), wrong(undefined)),
    ],
    ["a column with values of the other type", "ERR_SERIES_TYPE", () => series.writeColumn(int64, float(1), float(1))],
    ["a column with too many values", "ERR_INVALID_ARGUMENT", () => series.writeColumn(metric, float(1), float(2))],
    [
      "a column with a wrong time",
      "ERR_OUT_OF_RANGE",
      () => series.writeColumn(metric, Float64Array.of(0.5), float(1)),
    ],

    ["a query that is undefined", "ERR_INVALID_ARGUMENT", () => series.query(wrong(undefined))],
    ["a query without a metric", "ERR_INVALID_ARGUMENT", () => series.query(wrong({}))],
    ["a query with an unknown option", "ERR_INVALID_ARGUMENT", () => series.query(wrong({ metric, form: 0 }))],
    ["a query from a text", "ERR_INVALID_ARGUMENT", () => series.query(wrong({ metric, from: "1" }))],
    ["a query to NaN", "ERR_INVALID_ARGUMENT", () => series.query({ metric, to: Number.NaN })],
    ["a query with a negative limit", "ERR_INVALID_ARGUMENT", () => series.query({ metric, limit: -1 })],
    ["a query with a limit that is a fraction", "ERR_INVALID_ARGUMENT", () => series.query({ metric, limit: 1.5 })],
    ["a query with a signal that is none", "ERR_INVALID_ARGUMENT", () => series.query(wrong({ metric, signal: {} }))],
    ["a window of no length", "ERR_INVALID_ARGUMENT", () => series.query({ metric, window: 0, aggregate: ["avg"] })],
    ["windows without aggregates", "ERR_INVALID_ARGUMENT", () => series.query(wrong({ metric, window: "1m" }))],
    [
      "an unknown aggregate",
      "ERR_INVALID_ARGUMENT",
      () => series.query(wrong({ metric, window: "1m", aggregate: ["mean"] })),
    ],
    [
      "a percentile above 100",
      "ERR_INVALID_ARGUMENT",
      () => series.query({ metric, window: "1m", aggregate: ["p101"] }),
    ],
    [
      "windows with a negative limit",
      "ERR_INVALID_ARGUMENT",
      () => series.query({ metric, window: "1m", aggregate: ["avg"], limit: -1 }),
    ],
    [
      "a query of a metric of another type",
      "ERR_SERIES_TYPE",
      () => series.query({ metric: { name: "m", type: "int64" } }),
    ],
    ["a selection that is undefined", "ERR_INVALID_ARGUMENT", () => series.select(wrong(undefined))],
    ["a selection with an unknown option", "ERR_INVALID_ARGUMENT", () => series.select(wrong({ nmae: "m" }))],
    ["a match that is a number", "ERR_INVALID_ARGUMENT", () => series.metrics(wrong(5))],
    ["a matcher that is a number", "ERR_INVALID_ARGUMENT", () => series.metrics(wrong({ name: 5 }))],
    ["a matcher of no kind", "ERR_INVALID_ARGUMENT", () => series.metrics(wrong({ tags: { a: { prefx: "x" } } }))],
    ["a key of tags that is a number", "ERR_INVALID_ARGUMENT", () => series.tagValues(wrong(5))],
    ["the last point of nothing", "ERR_INVALID_ARGUMENT", () => series.last(wrong(undefined))],

    ["a deletion that is undefined", "ERR_INVALID_ARGUMENT", () => series.delete(wrong(undefined))],
    ["a deletion without a metric", "ERR_INVALID_ARGUMENT", () => series.delete(wrong({ from: 0 }))],
    ["a deletion with an unknown option", "ERR_INVALID_ARGUMENT", () => series.delete(wrong({ metric, untli: 5 }))],
    ["a deletion from NaN", "ERR_INVALID_ARGUMENT", () => series.delete({ metric, from: Number.NaN })],
    [
      "a deletion of a metric of another type",
      "ERR_SERIES_TYPE",
      () => series.delete({ metric: { name: "m", type: "int64" } }),
    ],
    ["a backup to nowhere", "ERR_INVALID_ARGUMENT", () => series.backup(wrong(undefined))],
    ["a backup to a file", "ERR_INVALID_ARGUMENT", () => series.backup(process.execPath)],
  ];

  test.each(cases)("%s: %s", async (_, code, act) => {
    expect(await codeOf(act)).toBe(code);
    // No point was written, and the store still works.
    expect(existsSync(NOWHERE)).toBe(false);
    expect(await series.query({ metric }).toArray()).toEqual([{ timestamp: NOW, value: 1 }]);
    expect(await series.query({ metric: int64 }).toArray()).toEqual([{ timestamp: NOW, value: 1n }]);
    expect((await series.write([{ metric, timestamp: NOW + 1, value: 2 }])).accepted).toBe(1);
  });

  test("an invalid point rejects the call before any point is written", async () => {
    const points = [
      { metric, timestamp: NOW - 1, value: 5 },
      { metric: int64, timestamp: NOW - 1, value: 5 },
      { metric: int64, timestamp: NOW - 2, value: 0.5 },
    ];
    expect(await codeOf(() => series.write(points))).toBe("ERR_OUT_OF_RANGE");
    expect((await series.stats()).headPoints).toBe(2);
  });

  test("what iterating the caller's points throws is thrown, and nothing is written", async () => {
    const error = new Error("mine");
    const points = (function* () {
      yield { metric, timestamp: NOW - 1, value: 5 };
      throw error;
    })();
    await expect(series.write(points)).rejects.toBe(error);
    expect((await series.stats()).headPoints).toBe(2);
  });
});

/** Every call, with arguments that are right. */
const CALLS: readonly [name: string, writes: boolean, act: (series: Series, set: MetricSet) => unknown][] = [
  ["metric", false, (s) => s.metric(metric)],
  ["write", true, (s) => s.write([{ metric, timestamp: NOW, value: 1 }])],
  ["metricSet", true, (s) => s.metricSet([metric])],
  ["writeScrape", true, (s, theSet) => s.writeScrape(NOW, theSet, float(1))],
  ["writeColumn", true, (s) => s.writeColumn(metric, Float64Array.of(NOW), float(1))],
  ["query", false, (s) => s.query({ metric })],
  ["query of windows", false, (s) => s.query({ metric, window: "1m", aggregate: ["avg"] })],
  ["select", false, (s) => s.select({})],
  ["last", false, (s) => s.last(metric)],
  ["metrics", false, (s) => s.metrics()],
  ["tagValues", false, (s) => s.tagValues("a")],
  ["delete of a range", true, (s) => s.delete({ metric, from: 0 })],
  ["delete of a metric", true, (s) => s.delete({ metric })],
  ["flush", true, (s) => s.flush()],
  ["compact", true, (s) => s.compact()],
  ["dropOld", true, (s) => s.dropOld()],
  ["stats", false, (s) => s.stats()],
  ["check", false, (s) => s.check()],
  ["backup", false, (s) => s.backup("/nowhere")],
];

describe("a store that is closed", () => {
  test.each(CALLS)("%s: ERR_CLOSED", async (_, __, act) => {
    await series.close();
    expect(await codeOf(() => act(series, set))).toBe("ERR_CLOSED");
  });

  test("it is closed once, however often it is asked to", async () => {
    await Promise.all([series.close(), series.close()]);
    await series.close();
    await series[Symbol.asyncDispose]();
  });

  test("reads that were begun end with ERR_CLOSED, or with all points", async () => {
    for (let i = 0; i < 10; i++) await series.writeColumn(metric, Float64Array.of(NOW - i * 86_400_000), float(1));
    await series.flush();
    const points = series.query({ metric });
    const read = points.toArray();
    const rows = points[Symbol.asyncIterator]();
    await rows.next();
    await series.close();
    expect(
      await read.then(
        (list) => list.length,
        (error) => error.code,
      ),
    ).toSatisfy((r) => r === 10 || r === "ERR_CLOSED");
    // Each loop reads from the start.
    expect(await codeOf(() => points.toArray())).toBe("ERR_CLOSED");
  });
});

describe("reads that are aborted", () => {
  const queries = (signal: AbortSignal): readonly [name: string, act: () => AsyncIterable<unknown>][] => [
    ["points", () => series.query({ metric, signal })],
    ["windows", () => series.query({ metric, signal, window: "1m", aggregate: ["avg"] })],
    ["points of a metric that is unknown", () => series.query({ metric: { name: "unknown" }, signal })],
    ["no points", () => series.query({ metric, from: NOW + 1, signal })],
    ["a selection", () => series.select({ signal })],
    ["a selection of nothing", () => series.select({ name: "unknown", signal })],
  ];

  test.each(
    queries(AbortSignal.abort("enough")).map(([name], i) => [name, i] as const),
  )("%s: ERR_ABORTED before the first step", async (_, i) => {
    const reason = new Error("enough");
    const [, act] = queries(AbortSignal.abort(reason))[i]!;
    const error = await (async () => {
      for await (const _ of act());
    })().catch((e: unknown) => e);
    expect(error).toMatchObject({ code: "ERR_ABORTED", cause: reason });
  });

  test("a read that is under way ends at the next step", async () => {
    for (let i = 0; i < 1000; i++) await series.writeColumn(metric, Float64Array.of(NOW - i * 3_600_000), float(1));
    await series.flush();
    const controller = new AbortController();
    const steps = async (signal: AbortSignal, stop: number) => {
      let batches = 0;
      const loop = async () => {
        for await (const _ of series.query({ metric, signal }).batches()) if (++batches === stop) controller.abort();
      };
      return [await loop().catch(({ code }) => code), batches] as const;
    };
    const [, all] = await steps(new AbortController().signal, Number.POSITIVE_INFINITY);
    expect(all).toBeGreaterThan(3);
    expect(await steps(controller.signal, 3)).toEqual(["ERR_ABORTED", 3]);
  });
});
