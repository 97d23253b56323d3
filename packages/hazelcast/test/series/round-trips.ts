/** The number of calls for reads, and for deleting old weeks. Calls are counted, not timed. */
import { randomUUID } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSeries, type SeriesOptions } from "@moonpack/series";
import { beforeAll, expect, test } from "vitest";
import { hazelcast } from "../../src/series/index.ts";
import type { TestCluster } from "../harness/cluster.ts";
import { noted, seriesClient } from "./clients.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;
/** The beginning of a day. */
const NOW = 20_000 * DAY;
const STEP = 20_000;
const metric = { name: "cpu.load" };

export function roundTrips(clusterOf: () => TestCluster): void {
  let counting: ReturnType<typeof noted>;
  beforeAll(async () => {
    counting = noted(await seriesClient(clusterOf()));
  });

  /** A reopened store with a day of points, and its calls since. */
  async function dayOfPoints(more: SeriesOptions) {
    const name = `trips-${randomUUID()}`;
    const path = mkdtempSync(join(tmpdir(), "moonpack-series-"));
    const options = { ...more, path, driver: hazelcast(counting.client, { name }), now: () => NOW };
    const times = Float64Array.from({ length: DAY / STEP }, (_, i) => NOW - DAY + i * STEP);
    const first = await openSeries(options);
    await first.writeColumn(metric, times, times);
    await first.flush();
    await first.compact();
    await first.close();
    const series = await openSeries(options);
    await series.compact();
    await series.last(metric);
    counting.calls.length = 0;
    /** Counts the calls for a part of the day; all of them read computed keys. */
    const calls = async (from: number, to: number): Promise<number> => {
      counting.calls.length = 0;
      const points = await series.query({ metric, from, to }).toArray();
      expect(points.length).toBe((to - from) / STEP);
      expect(points.every(({ timestamp, value }) => timestamp === value)).toBe(true);
      for (const call of counting.calls) expect(call).toMatch(/\.(minutes|hours) getAll$/);
      return counting.calls.length;
    };
    return { series, name, calls };
  }

  test("a day of one metric in hours: two calls", async () => {
    const { series, calls } = await dayOfPoints({ rollupAfter: 0 });
    expect(await calls(NOW - DAY, NOW)).toBe(2);
    expect(await calls(NOW - DAY, NOW - DAY + HOUR)).toBe(1);
    await series.close();
  });

  test("a day of one metric in minutes: at most a call for two hours; an hour of 60 pages: one", async () => {
    const { series, calls } = await dayOfPoints({ rollupAfter: false });
    expect(await calls(NOW - DAY, NOW)).toBeLessThanOrEqual(12);
    expect(await calls(NOW - DAY, NOW - DAY + HOUR)).toBe(1);
    await series.close();
  });

  test("weeks beyond retention are deleted by one call for each column, and other stores keep theirs", async () => {
    const other = await dayOfPoints({ rollupAfter: 0 });
    const client = await seriesClient(clusterOf());
    let now = NOW;
    const name = `retention-${randomUUID()}`;
    const series = await openSeries({
      path: mkdtempSync(join(tmpdir(), "moonpack-series-")),
      driver: hazelcast(counting.client, { name }),
      retention: "2w",
      rollupAfter: false,
      now: () => now,
    });
    counting.calls.length = 0;
    for (let week = 0; week < 5; week++) {
      now = NOW + week * WEEK;
      await series.write([{ metric, timestamp: now - HOUR, value: week }]);
      await series.flush();
    }
    await series.compact();
    // Once, unless background work has already deleted the first week.
    const deletes = counting.calls.filter((call) => call.endsWith("removeAll"));
    expect(deletes.slice(0, 2)).toEqual([`${name}.minutes removeAll`, `${name}.hours removeAll`]);
    const values = (await series.query({ metric }).toArray()).map(({ value }) => value);
    expect(values).toEqual([3, 4]);
    const pages = await (await client.getMap(`${name}.minutes`)).size();
    expect(pages).toBeGreaterThanOrEqual(2);
    expect(pages).toBeLessThanOrEqual(3);
    await series.close();
    expect(await (await client.getMap(`${other.name}.hours`)).size()).toBe(24);
    await other.series.close();
  });
}
