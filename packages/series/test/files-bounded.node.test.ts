/**
 * The newest value of a metric, and the base of the first `increase`, come from index pages: history is never walked without bound. Decoded
 * chunks and index pages are counted.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { Block } from "../build/blocks/block.js";
import { IndexPages } from "../build/blocks/index-page.js";
import { files } from "../build/drivers/files.js";
import { openSeries } from "../build/index.js";
import type { Series } from "../src/api.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const HOURS = 365 * 24;
const NOW = 1_700_000_000_000;
const START = NOW - HOURS * HOUR;
const at = (hour: number) => START + hour * HOUR;
const SILENT = 200;

const folder = mkdtempSync(join(tmpdir(), "moonpack-bounded-"));
const path = join(folder, "store");
const open = () => openSeries({ path, driver: files(), now: () => NOW });
let series: Series;
let blocks = 0;

const silent = (i: number) => ({ name: "silent", tags: { i: String(i) } });
const named = (name: string) => ({ name });

beforeAll(async () => {
  series = await open();
  const times = Float64Array.from({ length: HOURS }, (_, i) => at(i));
  const counter = Float64Array.from({ length: HOURS }, (_, i) => 10 * i);
  // Their ids lie between other ids: the span of index pages contains them, although the pages have none of their points.
  await series.writeColumn(named("busy"), times, counter);
  await series.metricSet(Array.from({ length: SILENT }, (_, i) => silent(i)));
  const nan = times.slice().fill(Number.NaN);
  nan[5] = 7;
  await series.writeColumn(named("nan"), times, nan);
  await series.writeColumn(named("all nan"), times, times.slice().fill(Number.NaN));
  await series.writeColumn(named("deleted"), times, counter);
  await series.writeColumn(named("deleted but one"), times, counter);
  await series.writeColumn(named("late"), times, counter);
  await series.flush();
  await series.delete({ metric: named("deleted"), from: at(0), to: at(HOURS) });
  await series.delete({ metric: named("deleted but one"), from: at(1), to: at(HOURS) });
  // Late points that hide numbers are not left out: the number before them counts.
  await series.writeColumn(
    named("late"),
    Float64Array.of(at(HOURS - 2), at(HOURS - 1)),
    Float64Array.of(Number.NaN, Number.NaN),
  );
  await series.flush();
  await series.close();
  series = await open();
  // One for each week, and one of late points.
  blocks = new Set(times.map((time) => Math.floor(time / (7 * 24 * HOUR)))).size + 1;
});

afterAll(async () => {
  await series.close();
  rmSync(folder, { recursive: true });
});
afterEach(() => void vi.restoreAllMocks());

/** Counts the chunks and index pages that are decoded during a call. */
async function decoded<T>(call: () => Promise<T>): Promise<{ result: T; chunks: number; pages: number }> {
  const chunks = vi.spyOn(Block.prototype, "decode");
  const pages = vi.spyOn(IndexPages.prototype, "read");
  const result = await call();
  const counts = { result, chunks: chunks.mock.calls.length, pages: pages.mock.calls.length };
  vi.restoreAllMocks();
  return counts;
}

describe("last", () => {
  test("200 metrics without points: no chunk, each index page once", async () => {
    const { result, chunks, pages } = await decoded(() =>
      Promise.all(Array.from({ length: SILENT }, (_, i) => series.last(silent(i)))),
    );
    expect(result).toEqual(new Array(SILENT).fill(undefined));
    expect(chunks).toBe(0);
    expect(pages).toBeLessThanOrEqual(blocks);
  });

  test.each([
    ["busy", { timestamp: at(HOURS - 1), value: 10 * (HOURS - 1) }, 0],
    ["nan", { timestamp: at(HOURS - 1), value: Number.NaN }, 0],
    ["deleted", undefined, 0],
    ["deleted but one", { timestamp: at(0), value: 0 }, 1],
    ["late", { timestamp: at(HOURS - 1), value: Number.NaN }, 0],
  ] as const)("%s", async (name, expected, most) => {
    const { result, chunks } = await decoded(() => series.last(named(name)));
    expect(result).toEqual(expected);
    expect(chunks).toBeLessThanOrEqual(most);
  });
});

describe("increase from a time on", () => {
  const DAY = 24;
  const increases = async (name: string, from: number, to: number) => {
    const query = { metric: named(name), from, to, window: "1d", aggregate: ["increase", "rate"] } as const;
    return (await series.query(query).toArray()).map(({ increase }) => increase);
  };

  test.each([
    ["in the last block", HOURS - DAY],
    ["in the middle", HOURS / 2],
    ["after all points", HOURS + DAY],
  ])("%s", async (_, hour) => {
    const { result, chunks } = await decoded(() => increases("busy", at(hour), at(hour + DAY)));
    const sum = result.reduce<number>((all, one) => all + Number(one ?? 0), 0);
    expect(sum).toBe(hour < HOURS ? 10 * DAY : 0);
    expect(chunks).toBeLessThanOrEqual(3);
  });

  test("a year of NaN before it: blocks of NaN alone are passed over", async () => {
    const { result, chunks } = await decoded(() => increases("nan", at(HOURS), at(HOURS + 1)));
    expect(result).toEqual([]);
    expect(chunks).toBeLessThanOrEqual(1);
    const all = await decoded(() => increases("all nan", at(HOURS), at(HOURS + 1)));
    expect(all.chunks).toBe(0);
  });

  test("a year of deleted points before it", async () => {
    expect((await decoded(() => increases("deleted", at(HOURS), at(HOURS + 1)))).chunks).toBe(0);
    expect((await decoded(() => increases("deleted but one", at(HOURS), at(HOURS + 1)))).chunks).toBeLessThanOrEqual(1);
  });

  test("a number after NaN rises from the last number before", async () => {
    const point = { timestamp: NOW, value: 19 };
    await series.write([
      { metric: named("nan"), ...point },
      { metric: named("late"), timestamp: NOW, value: 10 * HOURS },
    ]);
    const nan = await decoded(() => increases("nan", NOW, NOW + 1));
    expect(nan.result).toEqual([12]);
    expect(nan.chunks).toBeLessThanOrEqual(1);
    const late = await decoded(() => increases("late", NOW, NOW + 1));
    expect(late.result).toEqual([30]);
    expect(late.chunks).toBeLessThanOrEqual(3);
  });

  test("a range without points reads no chunk", async () => {
    const { chunks } = await decoded(() => increases("silent", at(0), at(HOURS)));
    expect(chunks).toBe(0);
  });
});

describe("blocks that overlap, with metrics that do not", () => {
  const day = 24 * HOUR;
  const other = join(folder, "overlapping");
  let store: Series;

  beforeAll(async () => {
    store = await openSeries({ path: other, driver: files(), now: () => NOW });
    const times = Float64Array.from({ length: 600 }, (_, i) => NOW - day + i * MINUTE);
    for (const name of ["on time", "elsewhere", "between"]) await store.writeColumn(named(name), times, times);
    await store.flush();
    // A block of late points that overlaps the first one, but has no such points of two of the metrics.
    await store.writeColumn(named("elsewhere"), Float64Array.of(NOW - 2 * day), Float64Array.of(1));
    await store.writeColumn(named("between"), Float64Array.of(NOW - day + 1), Float64Array.of(1));
    await store.writeColumn(named("late"), Float64Array.of(NOW - day + 2), Float64Array.of(1));
    await store.flush();
    // Points in memory.
    for (const name of ["on time", "elsewhere", "between"])
      await store.writeColumn(named(name), Float64Array.of(NOW), Float64Array.of(1));
  });
  afterAll(async () => await store.close());

  test.each([
    ["on time", 601, 0],
    ["elsewhere", 602, 0],
    ["between", 602, 3],
  ])("%s: summaries answer where no points lie between others", async (name, points, most) => {
    const query = { metric: named(name), window: "7d", aggregate: ["count"] } as const;
    const { result, chunks } = await decoded(() => store.query(query).toArray());
    expect(result.reduce((sum, { count }) => sum + Number(count), 0)).toBe(points);
    expect(chunks).toBeLessThanOrEqual(most);
  });
});
