/** Closing while calls run: those that change or copy the store end well, reads end with ERR_CLOSED, and close() never waits for a reader. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Series } from "@moonpack/series";
import { openSeries } from "@moonpack/series";
import { classicLevel, rocksdb } from "@moonpack/series-kv";
import { afterAll, describe, expect, test } from "vitest";
import { TestDriver } from "./harness/test-driver.ts";

const DAY = 86_400_000;
const NOW = 1_700_000_000_000;
const folder = mkdtempSync(join(tmpdir(), "moonpack-closing-"));
afterAll(() => rmSync(folder, { recursive: true }));
const metric = { name: "m" };
let paths = 0;
const newPath = () => join(folder, `store${++paths}`);

/** A store with a page in each of some hours, and a point in memory. */
async function filled(path: string, driver: TestDriver, hours = 200): Promise<Series> {
  const series = await openSeries({ path, driver, now: () => NOW });
  const times = Float64Array.from({ length: hours }, (_, i) => NOW - 100 * DAY + i * 3_600_000);
  await series.writeColumn(metric, times, times);
  await series.flush();
  await series.write([{ metric, timestamp: NOW, value: 1 }]);
  return series;
}

const countOf = async (path: string) => {
  const series = await openSeries({ path, driver: rocksdb(), now: () => NOW, readOnly: true });
  const points = await series.query({ metric }).toArray();
  await series.close();
  return points.length;
};

/** Calls that wait until they are released. Compared with them, the calls of closing are fast. */
function hold(driver: TestDriver): () => void {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  driver.before = async ({ kind, sync }) => {
    await released;
    for (let i = kind === "batch" && sync === true ? 1 : 30; i > 0; i--) await nextTurn();
  };
  return release;
}

describe("close() waits for", () => {
  const calls: [string, (series: Series, to: string) => Promise<unknown>, unknown][] = [
    ["backup", (series, to) => series.backup(to), undefined],
    ["check", (series) => series.check(), []],
    ["compact", (series) => series.compact(), undefined],
    ["flush", (series) => series.flush(), undefined],
    ["delete", (series) => series.delete({ metric, from: NOW - 100 * DAY, to: NOW - 98 * DAY }), undefined],
    ["delete of a metric", (series) => series.delete({ metric }), undefined],
    ["stats", async (series) => (await series.stats()).metrics, 1],
  ];

  test.each(calls)("%s", async (_, call, result) => {
    const driver = new TestDriver(rocksdb());
    const path = newPath();
    const to = newPath();
    const series = await filled(path, driver);
    const release = hold(driver);
    const running = call(series, to);
    for (let i = 0; i < 5; i++) await nextTurn();
    const closing = series.close();
    for (let i = 0; i < 5; i++) await nextTurn();
    release();
    expect(await running).toEqual(result);
    await closing;
    await openSeries({ path, driver: rocksdb() }).then((again) => again.close());
  });

  test("a backup, which is then whole", async () => {
    const driver = new TestDriver(rocksdb());
    const path = newPath();
    const series = await filled(path, driver);
    const to = newPath();
    const running = series.backup(to);
    await Promise.all([running, series.close()]);
    expect(readdirSync(to).sort()).toEqual(["kv", "log"]);
    expect([await countOf(path), await countOf(to)]).toEqual([201, 201]);
  });
});

describe.each([rocksdb, classicLevel])("%o", (make) => {
  test("reads that are under way end with ERR_CLOSED at their next step, and close() does not wait for them", async () => {
    const path = newPath();
    const series = await filled(path, new TestDriver(make()), 2000);
    const loops = [
      series.query({ metric })[Symbol.asyncIterator](),
      series.query({ metric }).batches()[Symbol.asyncIterator](),
      series
        .query({ metric, window: "1h", aggregate: ["avg"] })
        .batches()
        [Symbol.asyncIterator](),
      series.select({})[Symbol.asyncIterator](),
    ];
    for (const loop of loops) expect((await loop.next()).done).toBe(false);
    // A reader that has asked, and one that never does again.
    const all = endOf(series.query({ metric }).toArray());
    const abandoned = series.query({ metric }).batches()[Symbol.asyncIterator]();
    await abandoned.next();
    await series.close();
    expect(["all", "ERR_CLOSED"]).toContain(await all);
    // Rows that were read before are still returned. The selection has read its only metric.
    const ends = await Promise.all(loops.map((loop) => endOf(drained(loop))));
    expect(ends).toEqual(["ERR_CLOSED", "ERR_CLOSED", "ERR_CLOSED", "all"]);
    const again = await openSeries({ path, driver: make() });
    expect(await again.query({ metric }).toArray()).toHaveLength(2001);
    await again.close();
  });
});

/** How a read ends. */
function endOf(read: Promise<unknown>): Promise<unknown> {
  return read.then(
    () => "all",
    ({ code }) => code,
  );
}

async function drained(loop: AsyncIterator<unknown>): Promise<void> {
  while (!(await loop.next()).done);
}

test("writes that wait for room when the store is closed are written or ERR_CLOSED, without warnings of a failed round", async () => {
  const path = newPath();
  const warnings: string[] = [];
  const driver = new TestDriver(rocksdb());
  driver.before = async ({ kind }) => {
    if (kind === "batch") for (let i = 0; i < 20; i++) await nextTurn();
  };
  const series = await openSeries({
    path,
    driver,
    maxHeadBytes: 65_536,
    now: () => NOW,
    onWarning: ({ message }) => void warnings.push(message),
  });
  await series.metric(metric);
  let accepted = 0;
  const written = Array.from({ length: 40 }, (_, k) => {
    const times = Float64Array.from({ length: 5000 }, (_, i) => NOW - (k * 5000 + i) * 10);
    return series.writeColumn(metric, times, times).then(
      (result) => (accepted += result.accepted),
      (error) => expect(error).toMatchObject({ code: "ERR_CLOSED" }),
    );
  });
  await nextTurn();
  await series.close();
  await Promise.all(written);
  for (let i = 0; i < 20; i++) await nextTurn();
  expect(warnings).toEqual([]);
  expect(await countOf(path)).toBe(accepted);
});
