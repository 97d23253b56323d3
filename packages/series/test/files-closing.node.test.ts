/** Closing a store of files while calls run: changes and copies end well, reads end with ERR_CLOSED, and close() never waits for a reader. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import { nodeStoreFileSystem } from "../build/file-system/store-file-system.js";
import { openWith } from "../build/open.js";
import { readOptions } from "../build/options.js";
import type { Series, SeriesOptions } from "../src/api.ts";
import { slowFileSystem } from "./harness/slow-file-system.ts";

const DAY = 86_400_000;
const NOW = 1_700_000_000_000;
const folder = mkdtempSync(join(tmpdir(), "moonpack-files-closing-"));
afterAll(() => rmSync(folder, { recursive: true }));
const metric = { name: "m" };
let paths = 0;
const newPath = () => join(folder, `store${++paths}`);

/** Turns that each call of the file system takes. */
let turns = 0;
const open = (path: string, options: Partial<SeriesOptions> = {}): Promise<Series> =>
  openWith(
    readOptions({ path, now: () => NOW, maxCacheBytes: 0, ...options }),
    slowFileSystem(nodeStoreFileSystem(), () => turns),
  );

/** A store with points in several blocks, and a point in memory. */
async function filled(path: string, options: Partial<SeriesOptions> = {}): Promise<Series> {
  turns = 0;
  const series = await open(path, options);
  const times = Float64Array.from({ length: 5000 }, (_, i) => NOW - 100 * DAY + i * 1_000_000);
  await series.writeColumn(metric, times, times);
  await series.flush();
  await series.write([{ metric, timestamp: NOW, value: 1 }]);
  return series;
}

const countOf = async (path: string) => {
  const series = await open(path, { readOnly: true });
  const points = await series.query({ metric }).toArray();
  await series.close();
  return points.length;
};

describe("close() waits for", () => {
  const calls: [string, (series: Series, to: string) => Promise<unknown>, unknown][] = [
    ["backup", (series, to) => series.backup(to), undefined],
    ["check", (series) => series.check(), []],
    ["compact", (series) => series.compact(), undefined],
    ["dropOld", (series) => series.dropOld(), undefined],
    ["flush", (series) => series.flush(), undefined],
    ["delete", (series) => series.delete({ metric, from: NOW - 100 * DAY, to: NOW - 98 * DAY }), undefined],
    ["delete of a metric", (series) => series.delete({ metric }), undefined],
    ["stats", async (series) => (await series.stats()).metrics, 1],
  ];

  test.each(calls)("%s", async (_, call, result) => {
    const [path, to] = [newPath(), newPath()];
    const series = await filled(path, { retention: "200d" });
    turns = 5;
    const running = call(series, to);
    for (let i = 0; i < 3; i++) await nextTurn();
    await series.close();
    expect(await running).toEqual(result);
    turns = 0;
    await (await open(path)).close();
  });

  test("a backup, and one that replaces it: both are then whole", async () => {
    const [path, to] = [newPath(), newPath()];
    let series = await filled(path);
    turns = 3;
    let running = series.backup(to);
    await Promise.all([running, series.close()]);
    turns = 0;
    expect([await countOf(path), await countOf(to)]).toEqual([5001, 5001]);
    series = await open(path);
    await series.write([{ metric, timestamp: NOW + 1, value: 1 }]);
    turns = 3;
    running = series.backup(to);
    await Promise.all([running, series.close()]);
    turns = 0;
    expect([await countOf(path), await countOf(to)]).toEqual([5002, 5002]);
    expect(readdirSync(join(to, "manifest"))).toHaveLength(1);
  });
});

test("reads that are under way end with ERR_CLOSED at their next step, and close() does not wait for them", async () => {
  const path = newPath();
  const series = await filled(path);
  turns = 2;
  const loops = [
    series.query({ metric })[Symbol.asyncIterator](),
    series.query({ metric }).batches()[Symbol.asyncIterator](),
    series
      .query({ metric, window: "1h", aggregate: ["avg"] })
      .batches()
      [Symbol.asyncIterator](),
  ];
  for (const loop of loops) expect((await loop.next()).done).toBe(false);
  const endOf = (read: Promise<unknown>) =>
    read.then(
      () => "all",
      ({ code }) => code,
    );
  const all = endOf(series.query({ metric }).toArray());
  // A reader that never requests its next points.
  await series.query({ metric }).batches()[Symbol.asyncIterator]().next();
  await series.close();
  const drained = async (loop: AsyncIterator<unknown>) => {
    while (!(await loop.next()).done);
  };
  const ends = [await all, ...(await Promise.all(loops.map((loop) => endOf(drained(loop)))))];
  for (const end of ends) expect(["all", "ERR_CLOSED"]).toContain(end);
  expect(ends).toContain("ERR_CLOSED");
  turns = 0;
  expect(await countOf(path)).toBe(5001);
});

test("writes that wait for room when the store is closed are written or ERR_CLOSED, without warnings of a failed round", async () => {
  const path = newPath();
  const warnings: string[] = [];
  turns = 2;
  const series = await open(path, { maxHeadBytes: 65_536, onWarning: ({ message }) => void warnings.push(message) });
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
  turns = 0;
  expect(await countOf(path)).toBe(accepted);
});
