/** More is written than the store can take: calls wait, memory stays within its bounds, and nothing that was acknowledged is lost. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { MetricSet, Series, SeriesOptions, SeriesWarning } from "@moonpack/series";
import { FailingFileSystem } from "@moonpack/series/test/harness/failing-file-system.ts";
import { ForgetfulFileSystem } from "@moonpack/series/test/harness/forgetful-file-system.ts";
import { afterAll, describe, expect, test } from "vitest";
import { SeriesError } from "../../series/build/index.js";
import { openWith } from "../../series/build/open.js";
import { readOptions } from "../../series/build/options.js";
import { MINUTES } from "../src/store/columns.ts";
import { KeptMemory } from "./harness/kept-memory.ts";
import { TestDriver } from "./harness/test-driver.ts";

const NOW = 1_700_000_000_000;
/** The least that the options take. */
const MAX_BYTES = 65_536;
const folder = mkdtempSync(join(tmpdir(), "moonpack-pressure-"));
afterAll(() => rmSync(folder, { recursive: true }));

const metric = (i: number) => ({ name: "m", tags: { i: String(i) } });

/** A store whose driver and log a test can hold and let fail. */
class Place {
  readonly files = new FailingFileSystem(new ForgetfulFileSystem());
  readonly databases = new KeptMemory();
  readonly driver = new TestDriver(this.databases.driver());
  readonly warnings: SeriesWarning[] = [];
  /** Batches that failed. */
  refused = 0;

  async open(options: Partial<SeriesOptions> = {}): Promise<Series> {
    const settings = readOptions({
      path: folder,
      driver: this.driver,
      now: () => NOW,
      maxHeadBytes: MAX_BYTES,
      maxLogBytes: MAX_BYTES,
      onWarning: (warning: SeriesWarning) => void this.warnings.push(warning),
      ...options,
    });
    return await openWith(settings, this.files);
  }

  /** Batches of pages fail as on a full disk. */
  set isFull(isFull: boolean) {
    this.driver.before = ({ operations }) => {
      if (!isFull || !operations?.some(({ column, value }) => column === MINUTES && value !== undefined)) return;
      this.refused++;
      throw new SeriesError("ERR_SERIES_FULL", "no space is left for the store");
    };
  }
}

/** Sets of one metric each, by store. */
const setsOf = new WeakMap<Series, MetricSet[]>();

/** Registers metrics, and makes their sets: that waits for the log, too. */
async function prepare(series: Series, metrics: number): Promise<void> {
  const sets: MetricSet[] = [];
  for (let i = 0; i < metrics; i++) sets.push(await series.metricSet([metric(i)]));
  setsOf.set(series, sets);
}

/** The three ways to write: `points` points of one metric, from `from` on. */
const WAYS: readonly [
  name: string,
  write: (series: Series, i: number, from: number, points: number) => Promise<unknown>,
][] = [
  [
    "rows",
    (series, i, from, points) =>
      series.write(Array.from({ length: points }, (_, k) => ({ metric: metric(i), timestamp: from + k, value: k }))),
  ],
  [
    "a column",
    async (series, i, from, points) => {
      const times = Float64Array.from({ length: points }, (_, k) => from + k);
      const values = Float64Array.from({ length: points }, (_, k) => k);
      const written = series.writeColumn(metric(i), times, values);
      // The caller's memory is its own again.
      times.fill(0);
      values.fill(-1);
      return await written;
    },
  ],
  [
    "scrapes",
    async (series, i, from, points) => {
      const sets = setsOf.get(series) ?? setsOf.set(series, []).get(series)!;
      const set = (sets[i] ??= await series.metricSet([metric(i)]));
      const values = new Float64Array(1);
      const written: Promise<unknown>[] = [];
      for (let k = 0; k < points; k++) {
        values[0] = k;
        written.push(series.writeScrape(from + k, set, values));
        values[0] = -1;
      }
      return await Promise.all(written);
    },
  ],
];

async function expectAll(series: Series, metrics: number, from: number, points: number): Promise<void> {
  const expected = Array.from({ length: points }, (_, k) => ({ timestamp: from + k, value: k }));
  for (let i = 0; i < metrics; i++) expect(await series.query({ metric: metric(i) }).toArray()).toEqual(expected);
}

describe.each(WAYS)("%s", (name, write) => {
  test("writes wait for a slow database; the head stays within its bound", async () => {
    const place = new Place();
    const series = await place.open();
    let batches = 0;
    place.driver.before = async ({ kind }) => {
      if (kind !== "batch") return;
      batches++;
      await sleep(10);
    };
    const [metrics, points] = [100, 200];
    await prepare(series, metrics);
    let done = 0;
    const calls = Array.from({ length: metrics }, (_, i) => write(series, i, NOW - 1000, points).then(() => done++));
    let most = 0;
    let waited = 0;
    while (done < metrics) {
      const { headBytes } = await series.stats();
      most = Math.max(most, headBytes);
      if (headBytes >= MAX_BYTES) waited++;
      await sleep(1);
    }
    await Promise.all(calls);
    expect(waited).toBeGreaterThan(0);
    expect(batches).toBeGreaterThan(3);
    // One call may go over it: by its points, in chunks of 16, and what keeps them together.
    expect(most).toBeLessThan(MAX_BYTES + (name === "scrapes" ? 1000 : 200 * 11 + 1000));
    expect((await series.stats()).points).toBe(metrics * points);
    await expectAll(series, metrics, NOW - 1000, points);
    await series.close();
  });

  test("writes wait for a slow log; what is not written stays within its bound", async () => {
    const place = new Place();
    const series = await place.open({ maxHeadBytes: 2 ** 28 });
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await prepare(series, 60);
    place.files.hold = (call) => (call === "write" ? held : undefined);
    let done = 0;
    const calls = Array.from({ length: 60 }, (_, i) => write(series, i, NOW - 1000, 300).then(() => done++));
    for (let i = 0; i < 20; i++) {
      await sleep(1);
      // A record has a header, and times and values of its points.
      expect((await series.stats()).unwrittenBytes).toBeLessThan(MAX_BYTES + 300 * 16 + 100);
    }
    const { unwrittenBytes, headPoints } = await series.stats();
    expect(unwrittenBytes).toBeGreaterThanOrEqual(MAX_BYTES);
    expect(headPoints).toBeLessThan(60 * 300);
    expect(done).toBe(0);
    release();
    await Promise.all(calls);
    await expectAll(series, 60, NOW - 1000, 300);
    await series.close();
  });

  test("when rounds fail, calls that wait fail with the cause; what was acknowledged stays, and goes into pages later", async () => {
    const place = new Place();
    place.isFull = true;
    const series = await place.open();
    await prepare(series, 100);
    const results = await Promise.allSettled(Array.from({ length: 100 }, (_, i) => write(series, i, NOW - 1000, 200)));
    const isRight = (i: number) => results[i]!.status === "fulfilled";
    const failed = results.filter((result) => result.status === "rejected");
    expect(failed.length).toBeGreaterThan(0);
    for (const { reason } of failed) expect(reason).toMatchObject({ code: "ERR_SERIES_FULL" });
    // They fail together, without a separate round for each of them.
    expect(place.refused).toBeLessThan(failed.length / 2);
    // On a slow machine the round is tried again by now, a second later.
    const retry = { kind: "retry", cause: { code: "ERR_SERIES_FULL" } };
    expect(place.warnings).toMatchObject(place.warnings.map(() => retry));
    expect(place.warnings).not.toEqual([]);
    // Reads continue, and all data survives a kill.
    const check = async (store: Series) => {
      for (let i = 0; i < 100; i++) {
        const points = await store.query({ metric: metric(i) }).toArray();
        if (isRight(i)) expect(points).toHaveLength(200);
        for (const { timestamp, value } of points) expect(value).toBe(timestamp - NOW + 1000);
      }
    };
    await check(series);
    const left = place.databases.afterKill();
    const killed = await openWith(
      readOptions({ path: folder, driver: left.driver(), now: () => NOW }),
      place.files.inner.afterKill(),
    );
    await check(killed);
    await killed.close();

    place.isFull = false;
    while (
      await write(series, 0, NOW - 1000, 200).then(
        () => false,
        () => true,
      )
    )
      await sleep(20);
    for (let i = 0; i < 100; i++) await write(series, i, NOW - 1000, 200);
    await series.flush();
    expect((await series.stats()).headPoints).toBe(0);
    await expectAll(series, 100, NOW - 1000, 200);
    await series.close();
  });

  test("a store that is closed while calls wait: each has written its points, or fails with ERR_CLOSED", async () => {
    const place = new Place();
    const series = await place.open();
    place.driver.before = async ({ kind }) => {
      if (kind === "batch") await sleep(3);
    };
    await prepare(series, 80);
    const calls = Array.from({ length: 80 }, (_, i) => write(series, i, NOW - 1000, 200));
    const settled = Promise.allSettled(calls);
    await sleep(4);
    await series.close();
    const results = await settled;
    const rejected = results.filter((result) => result.status === "rejected");
    expect(rejected.length).toBeGreaterThan(0);
    for (const { reason } of rejected) expect(reason).toMatchObject({ code: "ERR_CLOSED" });
    expect(place.warnings).toEqual([]);
    const again = await place.open();
    for (const [i, { status }] of results.entries())
      if (status === "fulfilled") expect(await again.query({ metric: metric(i) }).toArray()).toHaveLength(200);
    await again.close();
  });
});

test("of points that were written again while rounds failed, the last values win", async () => {
  const place = new Place();
  const series = await place.open({ maxHeadBytes: 2 ** 28 });
  place.isFull = true;
  const write = (value: number) => series.write([{ metric: metric(0), timestamp: NOW - 5, value }]);
  await write(1);
  for (let value = 2; value < 6; value++) {
    await expect(series.flush()).rejects.toMatchObject({ code: "ERR_SERIES_FULL" });
    await write(value);
  }
  const last = [{ timestamp: NOW - 5, value: 5 }];
  expect(await series.query({ metric: metric(0) }).toArray()).toEqual(last);
  place.isFull = false;
  await series.flush();
  expect(await series.query({ metric: metric(0) }).toArray()).toEqual(last);
  await series.close();
});

test("points that are deleted while rounds fail do not come back", async () => {
  const place = new Place();
  const series = await place.open({ maxHeadBytes: 2 ** 28 });
  for (const value of [1, 2]) await series.write([{ metric: metric(0), timestamp: NOW - value, value }]);
  // The page is written, what ends the round is not.
  let isFailing = true;
  place.driver.after = ({ operations }) => {
    if (isFailing && operations?.some(({ column }) => column === MINUTES))
      throw new SeriesError("ERR_SERIES_STORE", "the answer was lost");
  };
  await expect(series.flush()).rejects.toMatchObject({ code: "ERR_SERIES_STORE" });
  isFailing = false;
  await series.delete({ metric: metric(0), to: NOW - 1 });
  await series.flush();
  expect(await series.query({ metric: metric(0) }).toArray()).toEqual([{ timestamp: NOW - 1, value: 1 }]);
  await series.close();
});

test("a failing log is reported when the store is closed, and the store is unlocked", async () => {
  const place = new Place();
  const series = await place.open();
  await series.write([{ metric: metric(0), timestamp: NOW, value: 1 }]);
  place.files.failing.set("datasync", "EIO");
  place.files.failing.set("write", "EIO");
  await expect(series.close()).rejects.toMatchObject({ code: "ERR_SERIES_STORE" });
  place.files.failing.clear();
  const again = await place.open();
  expect(await again.query({ metric: metric(0) }).toArray()).toEqual([{ timestamp: NOW, value: 1 }]);
  await again.close();
});
