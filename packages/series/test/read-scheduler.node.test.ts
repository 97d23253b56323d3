/** Long reads yield to the event loop, even if all data is in memory, and end when their signal aborts. */

import type { MetricHandle, Series } from "@moonpack/series";
import { memory, openSeries } from "@moonpack/series";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";

const HOUR = 3_600_000;
const NOW = 1_700_000_000_000;
const START = NOW - 400 * HOUR;
const DAYS = 20 * 24 * HOUR;
const METRICS = 12_000;

let series: Series;
let counter: MetricHandle;

beforeAll(async () => {
  series = await openSeries({ driver: memory(), now: () => NOW });
  counter = await series.metric({ name: "counter" });
  const times = Float64Array.from({ length: 700_000 }, (_, i) => START + 2000 * i);
  await series.writeColumn(
    counter,
    times,
    times.map(() => Number.NaN),
  );
  const set = await series.metricSet(many("stored"));
  await series.writeScrape(NOW, set, new Float64Array(METRICS));
  await series.flush();
  await series.compact();
  await series.metricSet(many("pending"));
});

afterAll(() => series.close());

/** Each reading advances the clock to the end of a time slice. So the test depends on the parts of the work, not on their speed. */
const SLICE = 8;

beforeEach(() => {
  let now = performance.now();
  vi.spyOn(performance, "now").mockImplementation(() => (now += SLICE));
});

afterEach(() => {
  vi.restoreAllMocks();
});

function many(name: string): { name: string; tags: { i: string } }[] {
  return Array.from({ length: METRICS }, (_, i) => ({ name, tags: { i: String(i) } }));
}

type Read = (signal: AbortSignal) => AsyncIterable<unknown>;

const READS: Record<string, Read> = {
  points: (signal) => series.query({ metric: counter, signal }).batches(),
  "points backwards": (signal) => series.query({ metric: counter, reverse: true, signal }).batches(),
  "windows of points": (signal) =>
    series.query({ metric: counter, signal, window: "1d", aggregate: ["p50"] }).batches(),
  "filled windows": (signal) =>
    series.query({
      metric: counter,
      from: NOW - DAYS,
      to: NOW,
      signal,
      window: "1s",
      aggregate: ["avg"],
      fill: "null",
    }),
  "filled windows in batches": (signal) =>
    series
      .query({ metric: counter, from: NOW - DAYS, to: NOW, signal, window: "1s", aggregate: ["avg"], fill: "previous" })
      .batches(),
  "filled windows after the last point": (signal) =>
    series
      .query({ metric: counter, from: NOW - 1, to: NOW + DAYS, signal, window: "2s", aggregate: ["avg"], fill: "null" })
      .batches(),
  "filled windows of a metric that is unknown": (signal) =>
    series.query({
      metric: { name: "x" },
      from: NOW - DAYS,
      to: NOW,
      signal,
      window: 2000,
      aggregate: ["max"],
      fill: "null",
    }),
  "a selection": (signal) => series.select({ name: "stored", signal }),
  "a selection by an expression that nothing passes": (signal) => series.select({ tags: { i: /x+y/ }, signal }),
  "a selection of metrics that no round has written": (signal) => series.select({ name: "pending", signal }),
};

describe("a read is aborted while it runs", () => {
  test.each(Object.entries(READS))("%s", async (_, read) => {
    const controller = new AbortController();
    // Comes to its turn only if the read lets it.
    setImmediate(() => controller.abort());
    const loop = (async () => {
      for await (const _ of read(controller.signal));
    })();
    await expect(loop).rejects.toMatchObject({ code: "ERR_ABORTED" });
  });
});

describe("other work runs during a read", () => {
  /** How often the event loop turns until work has ended. */
  async function turnsOf(work: Promise<unknown>): Promise<number> {
    let turns = 0;
    let isOver = false;
    const turn = () => {
      turns++;
      if (!isOver) setImmediate(turn);
    };
    setImmediate(turn);
    await work;
    isOver = true;
    return turns;
  }

  test("metrics", async () => {
    const list = (async () => {
      let count = 0;
      for await (const _ of series.metrics({ tags: { i: /\d+/ } })) count++;
      expect(count).toBe(2 * METRICS);
    })();
    expect(await turnsOf(list)).toBeGreaterThan(2);
  });

  test("queries without end, each of which is short", async () => {
    vi.restoreAllMocks();
    let turns = 0;
    let queries = 0;
    const timer = setInterval(() => turns++, 1);
    const client = async () => {
      for (; turns < 3 && queries < 1_000_000; queries++)
        for await (const _ of series.query({ metric: counter, limit: 1 }).batches());
    };
    await Promise.all(Array.from({ length: 64 }, client));
    clearInterval(timer);
    expect(turns).toBe(3);
  });

  test("values of a tag", async () => {
    const list = series.tagValues("i", { name: { not: "x" } });
    expect(await turnsOf(list)).toBeGreaterThan(1);
    expect((await list).length).toBe(METRICS);
  });
});
