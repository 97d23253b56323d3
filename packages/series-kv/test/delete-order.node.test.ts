/**
 * Calls take effect in the order in which they were made: a delete covers what was written before it was called, and nothing that is
 * written later; of two writes the later one wins. Metrics may be in memory, only in the store, or not there at all.
 */
import { setImmediate } from "node:timers/promises";
import type { MetricSet, Series } from "@moonpack/series";
import { openSeries } from "@moonpack/series";
import { memoryDatabase } from "@moonpack/series-kv";
import { describe, expect, test } from "vitest";
import { METRICS } from "../src/store/columns.ts";
import { TestDriver } from "./harness/test-driver.ts";

const NOW = 1_700_000_000_000;
const AT = NOW - 60_000;
const metric = { name: "m", tags: { host: "a" } };

type State = "known" | "cold" | "unknown";
const STATES: readonly State[] = ["known", "cold", "unknown"];

/** A store in which each question for metrics is answered later than those that follow. */
async function store(state: State): Promise<{ series: Series; set: MetricSet | undefined }> {
  const driver = new TestDriver(memoryDatabase());
  const series = await openSeries({ driver, now: () => NOW, maxCachedMetrics: 1 });
  let set: MetricSet | undefined;
  if (state !== "unknown") {
    set = await series.metricSet([metric]);
    await series.write([{ metric, timestamp: AT, value: 1 }]);
  }
  // A store whose memory holds one metric does not know whether others are there.
  if (state !== "known")
    for (const name of ["other", "another"]) {
      await series.write([{ metric: { name }, timestamp: AT, value: 1 }]);
      await series.flush();
    }
  let asked = 0;
  driver.after = ({ kind, column }) => (kind === "getMany" && column === METRICS ? turns(8 - 3 * asked++) : undefined);
  return { series, set };
}

async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await setImmediate();
}

const WRITES: Record<string, (series: Series, value: number, set: MetricSet | undefined) => Promise<unknown>> = {
  write: (series, value) => series.write([{ metric, timestamp: AT + 5, value }]),
  writeColumn: (series, value) => series.writeColumn(metric, Float64Array.of(AT + 5), Float64Array.of(value)),
  writeScrape: async (series, value, set) => {
    const own = set ?? (await series.metricSet([metric]));
    await series.writeScrape(AT + 5, own, Float64Array.of(value));
  },
};
const KINDS = Object.keys(WRITES);

async function values(series: Series): Promise<unknown[]> {
  return (await series.query({ metric }).toArray()).map(({ timestamp, value }) => [timestamp - AT, value]);
}

describe.each(STATES)("a metric that is %s", (state) => {
  test.each(KINDS)("%s that is called after a delete, in the same turn, stays", async (kind) => {
    for (const range of [{ from: 0, to: NOW }, {}]) {
      const { series, set } = await store(state);
      const deleted = series.delete({ metric, ...range });
      const written = WRITES[kind]!(series, 2, set);
      await Promise.all([deleted, written]);
      expect(await values(series)).toEqual([[5, 2]]);
      await series.close();
    }
  });

  test.each(
    KINDS.filter((kind) => kind !== "writeScrape" || state !== "unknown"),
  )("%s that is called before a delete, in the same turn, is deleted", async (kind) => {
    for (const range of [{ from: AT + 1, to: NOW }, {}]) {
      const { series, set } = await store(state);
      const written = WRITES[kind]!(series, 2, set);
      const deleted = series.delete({ metric, ...range });
      await Promise.all([deleted, written]);
      expect(await values(series)).toEqual(range.from === undefined || state === "unknown" ? [] : [[0, 1]]);
      await series.close();
    }
  });

  test("of several writes the last one wins, and one that fails holds up none", async () => {
    const { series, set } = await store(state);
    const calls: Promise<unknown>[] = [];
    for (let i = 0; i < 12; i++) {
      const kind = KINDS[i % (set === undefined ? 2 : 3)]!;
      calls.push(WRITES[kind]!(series, i, set));
      calls.push(series.write([{ metric: { ...metric, type: "int64" }, timestamp: AT + 5, value: 100n }]));
    }
    const results = await Promise.allSettled(calls);
    expect(results.map(({ status }) => status)).toEqual(calls.map((_, i) => (i % 2 === 0 ? "fulfilled" : "rejected")));
    expect(await values(series)).toEqual([...(state === "unknown" ? [] : [[0, 1]]), [5, 11]]);
    await series.close();
  });
});
