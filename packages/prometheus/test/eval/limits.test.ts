/** Hostile queries: limits, deadlines, aborts, and the event loop. */
import { evaluate, Labels, parseQuery, type SeriesSource } from "@moonpack/prometheus";
import { describe, expect, test } from "vitest";
import { cpuTime } from "../harness/cpu-time.ts";
import { codeOf, loaded, run } from "../harness/evaluated.ts";

/** A source with many series of many samples, a second apart from 0 on. */
function large(series: number, samples: number): SeriesSource {
  const timestamps = Float64Array.from({ length: samples }, (_, i) => i * 1000);
  const values = Float64Array.from({ length: samples }, (_, i) => (i * 7919) % 1009);
  return {
    async *select() {
      for (let i = 0; i < series; i++)
        yield { labels: Labels.of({ __name__: "x_total", instance: String(i) }), timestamps, values };
    },
  };
}

function evaluated(source: SeriesSource, query: string, options: object): ReturnType<typeof evaluate> {
  return evaluate(parseQuery(query), { query, source, ...options } as Parameters<typeof evaluate>[1]);
}

describe("limits", () => {
  const range = { start: 10_000, end: 109_000, step: 1000 };
  test("maxPoints bounds the steps", async () => {
    const source = large(1, 10);
    expect(await codeOf(evaluated(source, "1", { ...range, limits: { maxPoints: 99 } }))).toBe("ERR_LIMIT_POINTS");
    expect(await codeOf(evaluated(source, "1", { ...range, limits: { maxPoints: 100 } }))).toBeUndefined();
    expect(await codeOf(evaluated(source, "1", { start: 0, end: 1e15, step: 1 }))).toBe("ERR_LIMIT_POINTS");
    // Prometheus allows 11,000 intervals, and Grafana uses all of them.
    expect(await codeOf(evaluated(source, "1", { start: 0, end: 11_000, step: 1 }))).toBeUndefined();
    expect(await codeOf(evaluated(source, "1", { start: 0, end: 11_001, step: 1 }))).toBe("ERR_LIMIT_POINTS");
  });
  test("maxSeries bounds the series of a selector", async () => {
    expect(await codeOf(evaluated(large(11, 1), "sum(x)", { start: 0, limits: { maxSeries: 10 } }))).toBe(
      "ERR_LIMIT_SERIES",
    );
    expect(await codeOf(evaluated(large(10, 1), "sum(x)", { start: 0, limits: { maxSeries: 10 } }))).toBeUndefined();
  });
  test("an aggregation holds groups times steps, not series times steps", async () => {
    const limits = { maxSamples: 1000 };
    const source = large(200, 300);
    expect(await codeOf(evaluated(source, "sum(rate(x_total[1m]))", { ...range, limits }))).toBeUndefined();
    expect(await codeOf(evaluated(source, "rate(x_total[1m])", { ...range, limits }))).toBe("ERR_LIMIT_SAMPLES");
    expect(await codeOf(evaluated(source, "sum by (instance) (x_total)", { ...range, limits }))).toBe(
      "ERR_LIMIT_SAMPLES",
    );
  });
  test("subqueries are bounded before their memory is allocated", async () => {
    const source = large(1, 10);
    for (const query of [
      "sum_over_time(vector(1)[10y:1ms])",
      "vector(1)[10y:1ms]",
      "max_over_time((sum_over_time(vector(1)[1d:1s]))[5y:1ms])",
      // One more step than 1,048,576, all of which are done without a turn of the event loop.
      "sum_over_time(vector(1)[1048577s:1s])",
    ])
      expect(await codeOf(evaluated(source, query, { start: 0 })), query).toBe("ERR_LIMIT_POINTS");
    const most = "sum_over_time(vector(1)[1048576s:1s])";
    expect(await codeOf(evaluated(source, most, { start: 0 }))).toBeUndefined();
    expect(await codeOf(evaluated(source, most, { start: 0, limits: { maxSamples: 1e6 } }))).toBe("ERR_LIMIT_SAMPLES");
  });
  test("series of one sample are bounded, too", async () => {
    const limits = { maxSamples: 10_000 };
    expect(await codeOf(evaluated(large(200, 1), "x", { start: 0, limits }))).toBeUndefined();
    expect(await codeOf(evaluated(large(200, 1), "x or x", { start: 0, limits }))).toBe("ERR_LIMIT_SAMPLES");
    expect(await codeOf(evaluated(large(400, 1), "x", { start: 0, limits }))).toBe("ERR_LIMIT_SAMPLES");
  });
  test("lists of labels, and words of a query", async () => {
    const source = large(1, 1);
    const list = (count: number) => Array.from({ length: count }, (_, i) => `a${i}`).join(",");
    const codeAt = async (query: string) => {
      try {
        return await codeOf(evaluated(source, query, { start: 0 }));
      } catch (error) {
        return (error as { readonly code?: string }).code;
      }
    };
    for (const make of [
      (labels: string) => `sum by (${labels}) (x)`,
      (labels: string) => `sum without (${labels}) (x)`,
      (labels: string) => `x * on (${labels}) x`,
      (labels: string) => `x * ignoring (${labels}) x`,
      (labels: string) => `x * on () group_left (${labels}) x`,
      (labels: string) => `x and on (${labels}) x`,
    ]) {
      expect(await codeAt(make(list(500))), make("")).toBeUndefined();
      expect(await codeAt(make(list(501))), make("")).toBe("ERR_LIMIT_ELEMENTS");
    }
    expect(await codeAt(`sum by (${list(17_000)}) (x)`)).toBe("ERR_LIMIT_ELEMENTS");
    expect(await codeAt("(".repeat(40_000))).toBe("ERR_LIMIT_DEPTH");
  });
  test("a range of one series has a bounded number of samples for functions that read all of them", async () => {
    const samples = 2_500_001;
    const timestamps = Float64Array.from({ length: samples }, (_, i) => i);
    const long: SeriesSource = {
      async *select() {
        yield { labels: Labels.of({ __name__: "x_total" }), timestamps, values: timestamps };
      },
    };
    const codeAt = (query: string) => codeOf(evaluated(long, query, { start: samples - 1 }));
    expect(await codeAt("sum_over_time(x_total[3h])")).toBe("ERR_LIMIT_SAMPLES");
    expect(await codeAt(`sum_over_time(x_total[${samples - 1}ms])`)).toBeUndefined();
    expect(await codeAt("rate(x_total[3h])")).toBeUndefined();
    expect(await codeAt("deriv(x_total[1250000ms])")).toBeUndefined();
    expect(await codeAt("deriv(x_total[1250001ms])")).toBe("ERR_LIMIT_SAMPLES");
    expect(await codeAt("quantile_over_time(0.5, x_total[625000ms])")).toBeUndefined();
    expect(await codeAt("quantile_over_time(0.5, x_total[625001ms])")).toBe("ERR_LIMIT_SAMPLES");
  });
  test("wrong options are refused, with a suggestion", async () => {
    const source = large(1, 1);
    for (const options of [
      { start: 0.5 },
      { start: 0, end: 10 },
      { start: 10, end: 0, step: 1 },
      { start: 0, step: -1 },
      { start: 0, lookback: 0 },
      { start: 0, limits: { maxSample: 1 } },
      { start: 0, timeOut: 1 },
      { start: 0, query: 1 },
      { start: 0, source: {} },
      { start: 0, signal: {} },
      { start: 0, signal: null },
      { start: 0, limits: 1 },
    ])
      expect(await codeOf(evaluated(source, "1", options)), JSON.stringify(options)).toBe("ERR_INVALID_ARGUMENT");
    expect(await codeOf(evaluate(undefined as never, { query: "", source, start: 0 }))).toBe("ERR_INVALID_ARGUMENT");
    expect(await codeOf(evaluate(parseQuery("1"), undefined as never))).toBe("ERR_INVALID_ARGUMENT");
    expect(await codeOf(evaluated(source, "x[5m]", { start: 0, end: 10, step: 5 }))).toBe("ERR_PROMQL_SYNTAX");
  });
});

/** Queries that take a long time, each in another part of the evaluator. */
const SLOW = [
  "sum_over_time(x_total[1d])",
  "quantile_over_time(0.5, x_total[1h])",
  "topk(3, rate(x_total[1h]))",
  "x_total * on () group_left sum(x_total)",
  'count_values("v", x_total)',
  "x_total and on (instance) x_total",
  "max_over_time((sum(x_total))[1d:1s])",
  'label_replace(x_total, "a", "$1", "instance", "(.*)")',
];

describe("time", () => {
  const range = { start: 0, end: 40_000_000, step: 4000 };
  const limits = { maxSamples: 1e9 };
  test("a deadline ends a query", async () => {
    for (const query of SLOW) {
      const before = cpuTime();
      expect(await codeOf(evaluated(large(3000, 40_000), query, { ...range, limits, timeout: 30 })), query).toBe(
        "ERR_TIMEOUT",
      );
      expect(cpuTime() - before, query).toBeLessThan(2000);
    }
  });
  test("an abort ends a query soon", async () => {
    for (const query of SLOW) {
      const controller = new AbortController();
      let abortedAt = Number.POSITIVE_INFINITY;
      setTimeout(() => {
        abortedAt = cpuTime();
        controller.abort();
      }, 30);
      const { signal } = controller;
      expect(await codeOf(evaluated(large(3000, 40_000), query, { ...range, limits, signal })), query).toBe(
        "ERR_ABORTED",
      );
      expect(cpuTime() - abortedAt, query).toBeLessThan(500);
    }
  });
  test("the event loop runs during a query", async () => {
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    await codeOf(evaluated(large(200, 40_000), "sum(sum_over_time(x_total[1h]))", { ...range, limits, timeout: 300 }));
    clearInterval(timer);
    expect(turns).toBeGreaterThan(5);
  });
  test("an aborted signal and a source's error are reported", async () => {
    const source = loaded(1000, "x 1");
    expect(await codeOf(evaluated(source, "x", { start: 0, signal: AbortSignal.abort() }))).toBe("ERR_ABORTED");
    const broken: SeriesSource = {
      // biome-ignore lint/correctness/useYield: it fails before the first series
      async *select() {
        throw new RangeError("no disk");
      },
    };
    expect(await codeOf(run(broken as never, "x", { start: 0 }))).toMatch(/no disk/);
  });
  test("a source that waits is aborted by the deadline", async () => {
    const waiting: SeriesSource = {
      async *select(_, __, ___, signal) {
        await new Promise((resolve) => signal!.addEventListener("abort", resolve));
        yield* [];
      },
    };
    expect(await codeOf(evaluated(waiting, "x", { start: 0, timeout: 20 }))).toBe("ERR_TIMEOUT");
  });
});

describe("labels and regular expressions", () => {
  const source = large(1, 1);
  const codeAt = (query: string) => codeOf(evaluated(source, query, { start: 0 }));
  test("functions make no endless values", async () => {
    const double = 'label_replace(x, "instance", "$1$1", "instance", "(.*)")';
    let query = "x";
    for (let i = 0; i < 17; i++) query = double.replace("x", query);
    expect(await codeAt(query)).toBe("ERR_PROMQL_EXECUTION");
    const separator = "s".repeat(60_000);
    const join = (count: number) => `label_join(x, "a", "${separator}"${', "instance"'.repeat(count)})`;
    expect(await codeAt(join(2))).toBeUndefined();
    expect(await codeAt(join(3))).toBe("ERR_PROMQL_EXECUTION");
    // Beyond the longest string of engines.
    expect(await codeAt(join(9000))).toBe("ERR_PROMQL_EXECUTION");
  });
  test("expressions have a size that is in proportion to their text", async () => {
    const codeOfPattern = async (pattern: string) => {
      try {
        return await codeAt(`x{instance=~"${pattern}"}`);
      } catch (error) {
        return (error as { readonly code?: string }).code;
      }
    };
    expect(await codeOfPattern(".{0,1000}")).toBeUndefined();
    expect(await codeOfPattern(".{0,1000}".repeat(10))).toBe("ERR_PROMQL_SYNTAX");
    expect(await codeOfPattern("a?".repeat(2048))).toBeUndefined();
    expect(await codeOfPattern("a?".repeat(2049))).toBe("ERR_PROMQL_SYNTAX");
    expect(await codeOfPattern("\\\\pL".repeat(117))).toBeUndefined();
    expect(await codeOfPattern("\\\\pL".repeat(118))).toBe("ERR_PROMQL_SYNTAX");
    const long = "b?".repeat(1500);
    expect(await codeOfPattern(`${long}", job=~"${long}", le!~"${long}`)).toBeUndefined();
    expect(await codeOfPattern(`${long}", job=~"c${long}`)).toBe("ERR_LIMIT_ELEMENTS");
    expect(await codeOfPattern(Array.from({ length: 40_000 }, (_, i) => `a${i}`).join("|"))).toBeUndefined();
    const groups = (count: number) => codeAt(`label_replace(x, "a", "$1", "instance", "${"(a?)".repeat(count)}.*")`);
    expect(await groups(100)).toBeUndefined();
    expect(await groups(101)).toBe("ERR_PROMQL_EXECUTION");
    // A match takes time for each instruction and character.
    const value = `label_replace(x, "b", "${"ab".repeat(30_000)}", "", "")`;
    const matched = (pattern: string) => codeAt(`label_replace(${value}, "c", "$1", "b", "${pattern}")`);
    expect(await matched(".*b")).toBeUndefined();
    expect(await matched("(.*a){20}b")).toBe("ERR_PROMQL_EXECUTION");
  });
});
