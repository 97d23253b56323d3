/** A store as a source of queries: the same answers as from memory. */
import { share } from "@moonpack/harness/effort.ts";
import { randomSource } from "@moonpack/harness/random.ts";
import {
  createPrometheus,
  evaluate,
  type LabelMatcher,
  Labels,
  parseMatchers,
  parseQuery,
  type SeriesSource,
} from "@moonpack/prometheus";
import type { Series } from "@moonpack/series";
import { expect, test } from "vitest";
import { StoreSource } from "../../src/store/store-source.ts";
import { codeOf } from "../harness/evaluated.ts";
import { MemorySource, type Point, STALE } from "../harness/memory-source.ts";
import { randomQuery } from "../harness/random-evaluation.ts";
import { FIRST, GAP, randomSeries } from "../harness/random-series.ts";
import { NOW, openStore, writePoints } from "../harness/store.ts";

const LIMITS = { maxSamples: 1e6, maxSeries: 1e4, maxPoints: 11_000 };

/** The labels of the series that meet conditions, in order. */
async function found(source: StoreSource | MemorySource, matchers: readonly LabelMatcher[]): Promise<string[]> {
  const all: string[] = [];
  for await (const { labels } of source.select(matchers, 0, NOW, undefined)) all.push(String(labels));
  return all.sort();
}

async function storeOf(
  series: readonly { readonly labels: Labels; readonly points: readonly Point[] }[],
): Promise<Series> {
  const store = await openStore();
  for (const { labels, points } of series) await writePoints(store, labels, FIRST, GAP, points);
  return store;
}

test("random queries have the same results as over series in memory", async () => {
  const random = randomSource(35_101);
  let compared = 0;
  for (let round = 0; round < share(8); round++) {
    const series = randomSeries(random);
    const memory = new MemorySource();
    for (const { labels, points } of series) memory.add(labels, FIRST, GAP, points);
    const store = await storeOf(series);
    const source = new StoreSource(store, LIMITS);
    for (let i = 0; i < 60; i++) {
      const query = randomQuery(random);
      // Names that depend on the order of series in the source.
      if (/limitk|limit_ratio|topk|bottomk|sum|avg|std|quantile|\bor\b|group/.test(query)) continue;
      const start = FIRST + random(1500) * 1000;
      const times = random(3) === 0 ? { start } : { start, end: start + 300_000, step: 1 + random(90_000) };
      const of = (from: unknown) =>
        evaluate(parseQuery(query), { query, source: from as SeriesSource, ...times }).then(
          ({ value }) => JSON.stringify(sorted(value)),
          (error: { readonly code?: string }) => error.code ?? String(error),
        );
      expect(await of(source), `${query} ${JSON.stringify(times)}`).toBe(await of(memory));
      compared++;
    }
    await store.close();
  }
  expect(compared).toBeGreaterThan(share(8) * 10);
});

/** A result with its series in one order. JSON keeps no NaN, which is written as a text. */
function sorted(value: Awaited<ReturnType<typeof evaluate>>["value"]): unknown {
  const text = (values: Float64Array) => Array.from(values, String);
  if (value.resultType === "matrix")
    return value.series.map(({ labels, timestamps, values }) => [labels.key, [...timestamps], text(values)]);
  if (value.resultType === "vector")
    return value.labels.map((labels, i) => [labels.key, String(value.values[i])]).sort();
  return [value.resultType, String(value.value)];
}

test("random conditions select the same series as in memory, whatever characters the texts have", async () => {
  const random = randomSource(35_102);
  const texts = ["", "a", "ab", "b\n", "\0", "\ue00a", "\ue0ff", "a|b", ".*", "é", "\u{1f600}", "__stale__", "\x7f"];
  const names = ["job", "pod", "__stale__", "a\nb", "\ue000", "constructor", "__proto__"];
  const patterns = [
    "",
    ".*",
    ".+",
    "a.*",
    "a|ab",
    "a|",
    "[^a]",
    ".",
    "..",
    "\\n",
    "(?i)A.*",
    "b\n",
    "\ue0ff?",
    "\\x00",
    "^a$",
    "\\pL+",
    "a|.\\n",
    "a\\|b|b",
    "\\.\\*",
    "a\\|.*",
  ];
  const pick = <T>(list: readonly T[]): T => list[random(list.length)]!;
  for (let round = 0; round < share(6); round++) {
    const memory = new MemorySource();
    const store = await openStore();
    for (let i = 0; i < 60; i++) {
      const labels = Labels.of([
        ["__name__", pick(texts) || "x"],
        ...Array.from({ length: random(4) }, () => [pick(names), pick(texts)] as const),
      ]);
      const points: Point[] = random(4) === 0 ? [STALE, 1] : [1, 2, STALE];
      memory.add(labels, FIRST, GAP, points);
      await writePoints(store, labels, FIRST, GAP, points);
    }
    const source = new StoreSource(store, LIMITS);
    for (let i = 0; i < 100; i++) {
      const matchers = Array.from({ length: random(4) }, (): LabelMatcher => {
        const operator = pick(["=", "!=", "=~", "!~"] as const);
        const value = operator.endsWith("~") ? pick(patterns) : pick(texts);
        return { name: pick([...names, "__name__", "missing", "\ud800"]), operator, value };
      });
      expect(await found(source, matchers), JSON.stringify(matchers)).toEqual(await found(memory, matchers));
    }
    await store.close();
  }
});

test("ranges include both ends; markers are hidden, and end a series", async () => {
  const store = await openStore();
  const labels = Labels.of({ __name__: "up", job: "a" });
  await writePoints(store, labels, FIRST, 1000, [1, 2, STALE, STALE, 5]);
  const source = new StoreSource(store, LIMITS);
  const read = async (from: number, to: number) => {
    const rows: unknown[] = [];
    for await (const { timestamps, values, stale } of source.select(parseMatchers("up"), from, to, undefined))
      rows.push([[...timestamps].map((time) => time - FIRST), [...values], stale?.[0]]);
    return rows;
  };
  expect(await read(FIRST, FIRST + 1000)).toEqual([[[0, 1000], [1, 2], undefined]]);
  expect(await read(FIRST + 1, FIRST + 4000)).toEqual([[[1000, 2000, 3000, 4000], [2, 0, 0, 5], 0b110]]);
  expect(await read(FIRST + 2000, FIRST + 3000)).toEqual([]);
  expect(await read(-100, -1)).toEqual([]);
  expect(await read(-100, FIRST - 1)).toEqual([]);
  const prom = createPrometheus(store);
  expect((await prom.query("up", { time: FIRST + 1999 })).result).toHaveLength(1);
  expect((await prom.query("up", { time: FIRST + 2000 })).result).toHaveLength(0);
  expect((await prom.query("up[1h]", { time: FIRST + 4000 })).result).toMatchObject([
    { values: Float64Array.of(1, 2, 5) },
  ]);
  expect(await prom.labelNames()).toEqual(["__name__", "job"]);
  expect(await prom.findSeries()).toEqual([{ __name__: "up", job: "a" }]);
  await store.close();
});

test("a sample counts where it has the time of a marker", async () => {
  const store = await openStore();
  const labels = Labels.of({ __name__: "up" });
  await writePoints(store, labels, FIRST, 1000, [STALE, STALE]);
  await writePoints(store, labels, FIRST + 1000, 1000, [7]);
  const prom = createPrometheus(store);
  expect((await prom.query("up", { time: FIRST + 1000 })).result).toMatchObject([{ value: 7 }]);
  await store.close();
});

test("integers are numbers", async () => {
  const store = await openStore();
  const metric = await store.metric({ name: "n", type: "int64" });
  await store.writeColumn(metric, Float64Array.of(FIRST, FIRST + 1000), BigInt64Array.of(2n ** 60n, -5n));
  const prom = createPrometheus(store);
  expect((await prom.query("n[1m]", { time: FIRST + 1000 })).result).toMatchObject([
    { values: Float64Array.of(2 ** 60, -5) },
  ]);
  await store.close();
});

test("a series of many blocks is one series, and its size is bounded while it is read", async () => {
  const store = await openStore();
  const count = 100_000;
  const times = Float64Array.from({ length: count }, (_, i) => FIRST - count + i);
  await store.writeColumn({ name: "long" }, times, times);
  await writePoints(store, Labels.of({ __name__: "short" }), FIRST, 1, [1]);
  const select = async (maxSamples: number) => {
    const lengths: number[] = [];
    const source = new StoreSource(store, { ...LIMITS, maxSamples });
    for await (const { timestamps } of source.select([], 0, NOW, undefined)) lengths.push(timestamps.length);
    return lengths;
  };
  expect(await select(count)).toEqual([count, 1]);
  await expect(select(count - 1)).rejects.toMatchObject({ code: "ERR_LIMIT_SAMPLES" });
  await store.close();
});

test("an aggregation of a store's series holds groups times steps", async () => {
  const store = await openStore();
  const points = Array.from({ length: 300 }, (_, i) => i);
  for (let i = 0; i < 200; i++)
    await writePoints(store, Labels.of({ __name__: "x_total", i: String(i), job: `j${i % 2}` }), FIRST, 1000, points);
  const prom = createPrometheus(store, { maxSamples: 1000 });
  const range = { start: FIRST, end: FIRST + 100_000, step: "1s" } as const;
  const { result } = await prom.queryRange("sum by (job) (rate(x_total[1m]))", range);
  expect(result).toHaveLength(2);
  expect(await codeOf(prom.queryRange("rate(x_total[1m])", range))).toBe("ERR_LIMIT_SAMPLES");
  const few = createPrometheus(store, { maxSeries: 199 });
  expect(await codeOf(few.query("sum(x_total)", { time: FIRST }))).toBe("ERR_LIMIT_SERIES");
  expect(await codeOf(few.findSeries({ match: "x_total" }))).toBe("ERR_LIMIT_SERIES");
  await store.close();
});

test("markers count as samples; a wait for many values ends with an abort", async () => {
  const store = await openStore();
  for (let i = 0; i < 100; i++)
    await writePoints(store, Labels.of({ __name__: "a", i: String(i) }), FIRST, GAP, [1, STALE]);
  const a = parseMatchers("a");
  expect(await codeOf(found(new StoreSource(store, { ...LIMITS, maxSamples: 100 }), a))).toBeUndefined();
  expect(await codeOf(found(new StoreSource(store, { ...LIMITS, maxSamples: 99 }), a))).toBe("ERR_LIMIT_SAMPLES");
  expect(await codeOf(found(new StoreSource(store, { ...LIMITS, maxSeries: 99 }), a))).toBe("ERR_LIMIT_SERIES");
  // Each value is a millisecond's work.
  const slow = parseMatchers(`a{i=~"${".{0,1000}".repeat(4)}"}`);
  const controller = new AbortController();
  const source = new StoreSource(store, LIMITS).select(slow, 0, NOW, controller.signal);
  const next = codeOf(source.next());
  controller.abort();
  expect(await next).toBe("ERR_ABORTED");
  await store.close();
});
