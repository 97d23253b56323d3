/** Backups: what is in them, what they change (nothing), and what is left of one that fails. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Series, SeriesOptions } from "@moonpack/series";
import { files, openSeries, SeriesError } from "@moonpack/series";
import { rocksdb } from "@moonpack/series-kv";
import { afterAll, describe, expect, test } from "vitest";
import { MINUTES } from "../src/store/columns.ts";
import { TestDriver } from "./harness/test-driver.ts";

const MINUTE = 60_000;
/** In the middle of a minute. */
const NOW = 28_333_333 * MINUTE + 30_000;
const folder = mkdtempSync(join(tmpdir(), "moonpack-backup-"));
afterAll(() => rmSync(folder, { recursive: true }));
const metric = { name: "m" };
const other = { name: "o", type: "int64" } as const;
let paths = 0;
const newPath = () => join(folder, `store${++paths}`);

const openWith = (driver: SeriesOptions["driver"] & object, path: string, options: Partial<SeriesOptions> = {}) =>
  openSeries({ path, driver, now: () => NOW, ...options });
const open = (path: string, options: Partial<SeriesOptions> = {}) => openWith(rocksdb(), path, options);

async function contentOf(series: Series): Promise<Record<string, [number, number | bigint][]>> {
  const content: Record<string, [number, number | bigint][]> = {};
  for await (const { metric: handle, points } of series.select({}))
    content[handle.name] = (await points.toArray()).map(({ timestamp, value }) => [timestamp - NOW, value]);
  return content;
}

const contentAt = (path: string, options: Partial<SeriesOptions> = {}) => contentWith(rocksdb(), path, options);

async function contentWith(
  driver: SeriesOptions["driver"] & object,
  path: string,
  options: Partial<SeriesOptions>,
): Promise<Awaited<ReturnType<typeof contentOf>>> {
  const series = await openWith(driver, path, options);
  try {
    return await contentOf(series);
  } finally {
    await series.close();
  }
}

/** Points in pages, points of this minute, of the past and of the future, that are not; some of them written twice. */
async function filled(series: Series): Promise<void> {
  await series.write([
    { metric, timestamp: NOW - 10 * MINUTE, value: 1 },
    { metric: other, timestamp: NOW - 10 * MINUTE, value: 2n ** 60n },
  ]);
  await series.flush();
  for (const [offset, value] of [
    [-9 * MINUTE, 2],
    [-10, 3],
    [0, 4],
    [0, 5],
    [5 * MINUTE, 6],
  ] as const)
    await series.write([{ metric, timestamp: NOW + offset, value }]);
  await series.write([{ metric: other, timestamp: NOW, value: -1n }]);
  await series.write([{ metric: { name: "new" }, timestamp: NOW, value: Number.NaN }]);
}

const FILLED = {
  m: [
    [-10 * MINUTE, 1],
    [-9 * MINUTE, 2],
    [-10, 3],
    [0, 5],
    [5 * MINUTE, 6],
  ],
  o: [
    [-10 * MINUTE, 2n ** 60n],
    [0, -1n],
  ],
  new: [[0, Number.NaN]],
};

describe.each(
  (["batch", "sync", "none"] as const).flatMap((durability) => [
    { durability, name: "rocksdb", driver: rocksdb },
    { durability, name: "files", driver: files },
  ]),
)("durability $durability, $name", ({ durability, driver }) => {
  const open = (path: string, options: Partial<SeriesOptions> = {}) => openWith(driver(), path, options);
  const contentAt = (path: string, options: Partial<SeriesOptions> = {}) => contentWith(driver(), path, options);

  test("all points are in the backup, and it changes nothing of what later writes may do", async () => {
    const series = await open(newPath(), { durability });
    await filled(series);
    const { sealedUntil, rounds, headPoints } = await series.stats();
    const to = newPath();
    await series.backup(to);
    expect(await series.stats()).toMatchObject({ sealedUntil, rounds, headPoints });
    for (const offset of [1, MINUTE, 5 * MINUTE])
      expect(await series.write([{ metric, timestamp: NOW + offset, value: 7 }])).toEqual({
        accepted: 1,
        late: 0,
        refused: 0,
      });
    const expected = {
      ...FILLED,
      m: [...FILLED.m.slice(0, 4), [1, 7], [MINUTE, 7], [5 * MINUTE, 7]],
    };
    expect(await contentOf(series)).toEqual(expected);
    await series.flush();
    expect(await contentOf(series)).toEqual(expected);
    expect(await series.check()).toEqual([]);
    await series.close();
    // The copy: read only, then written, then opened again.
    expect(await contentAt(to, { readOnly: true })).toEqual(FILLED);
    const copy = await open(to);
    expect(await contentOf(copy)).toEqual(FILLED);
    for (const offset of [1, 5 * MINUTE])
      expect(await copy.write([{ metric, timestamp: NOW + offset, value: 8 }])).toMatchObject({ late: 0 });
    await copy.write([{ metric: { name: "newer" }, timestamp: NOW, value: 9 }]);
    await copy.close();
    expect(await contentAt(to)).toEqual({
      ...FILLED,
      m: [...FILLED.m.slice(0, 4), [1, 8], [5 * MINUTE, 8]],
      newer: [[0, 9]],
    });
  });
});

test("of a store that is open for reading: with the points, deletes and forgotten metrics of its log", async () => {
  const path = newPath();
  const driver = new TestDriver(rocksdb());
  const killed = await open(path, { driver });
  await filled(killed);
  // Known metrics are deleted from at once.
  await killed.metric(metric);
  await killed.metric(other);
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  driver.before = ({ kind }) => (kind === "batch" ? released : undefined);
  const deleted = [
    killed.delete({ metric, from: NOW - 10 * MINUTE, to: NOW - 8 * MINUTE }),
    killed.delete({ metric: other }),
  ];
  await killed.write([{ metric, timestamp: NOW - 9 * MINUTE, value: 8 }]);
  const expected = { ...FILLED, m: [[-9 * MINUTE, 8], ...FILLED.m.slice(2)] };
  Reflect.deleteProperty(expected, "o");
  expect(await contentOf(killed)).toEqual(expected);
  const copied = newPath();
  cpSync(path, copied, { recursive: true });
  const reader = await open(copied, { readOnly: true });
  expect(await contentOf(reader)).toEqual(expected);
  const to = newPath();
  await reader.backup(to);
  await reader.close();
  expect(await contentAt(to, { readOnly: true })).toEqual(expected);
  expect(await contentAt(to)).toEqual(expected);
  expect(await contentAt(to)).toEqual(expected);
  release();
  await Promise.all([...deleted, killed.close()]);
});

test.each([
  ["rocksdb", rocksdb],
  ["files", files],
])("%s: calls that are made while it is written are in it as a whole or not at all", async (_, driver) => {
  const series = await openWith(driver(), newPath());
  const metrics = Array.from({ length: 3000 }, (_, i) => ({ name: "many", tags: { i: String(i) } }));
  const set = await series.metricSet(metrics);
  const values = (value: number) => new Float64Array(metrics.length).fill(value);
  for (let i = 0; i < 20; i++) await series.writeScrape(NOW - 2 * MINUTE + i * 5000, set, values(i));
  const to = newPath();
  const backup = series.backup(to);
  let isDone = false;
  void backup.finally(() => (isDone = true));
  for (let i = 20; !isDone; i++) {
    await series.writeScrape(NOW - MINUTE + i, set, values(i));
    if (i % 5 === 0) await series.flush();
    await new Promise(setImmediate);
  }
  await series.close();
  const copy = await openWith(driver(), to, { readOnly: true });
  const counts = new Set<number>();
  for await (const { points } of copy.select({})) counts.add((await points.toArray()).length);
  expect(counts.size).toBe(1);
  expect([...counts][0]).toBeGreaterThanOrEqual(20);
  await copy.close();
});

describe("a backup that fails", () => {
  test.each([
    ["a folder that is there", true],
    ["a folder that is not", false],
  ])("leaves %s as it was, and can be tried again", async (_, isThere) => {
    const driver = new TestDriver(rocksdb());
    const series = await open(newPath(), { driver });
    await filled(series);
    const source = driver.store;
    const to = newPath();
    if (isThere) mkdirSync(to);
    driver.before = ({ operations }) => {
      if (driver.store !== source && operations?.some(({ column }) => column === MINUTES))
        throw new SeriesError("ERR_SERIES_FULL", "no space is left for the store");
    };
    await expect(series.backup(to)).rejects.toMatchObject({ code: "ERR_SERIES_FULL" });
    expect(existsSync(to)).toBe(isThere);
    if (isThere) expect(readdirSync(to)).toEqual([]);
    driver.before = () => undefined;
    await series.backup(to);
    await series.close();
    expect(await contentAt(to)).toEqual(FILLED);
  });

  test.each([
    ["rocksdb", rocksdb],
    ["files", files],
  ])("%s, a folder with something in it: ERR_SERIES_STORE, and it stays", async (_, driver) => {
    const series = await openWith(driver(), newPath());
    const to = newPath();
    mkdirSync(to);
    writeFileSync(join(to, "mine.txt"), "mine");
    await expect(series.backup(to)).rejects.toMatchObject({
      code: "ERR_SERIES_STORE",
      message: expect.stringContaining(`${to} is not empty`),
    });
    expect(readdirSync(to)).toEqual(["mine.txt"]);
    await series.close();
  });

  test("of a killed process: opening the folder fails, and the error says what to do", async () => {
    const path = newPath();
    const to = newPath();
    const program = new URL("./programs/killed-backup.mjs", import.meta.url);
    const child = fork(program, [path, to]);
    const [, signal] = await once(child, "exit");
    expect(signal).toBe("SIGKILL");
    for (const readOnly of [false, true])
      await expect(open(to, { readOnly })).rejects.toMatchObject({
        code: "ERR_SERIES_CORRUPT",
        message: expect.stringContaining("is a backup that was not finished"),
      });
    const series = await open(path);
    await expect(series.backup(to)).rejects.toMatchObject({
      code: "ERR_SERIES_STORE",
      message: expect.stringContaining("has a backup that was not finished: delete it"),
    });
    // Killed even before there was a database.
    rmSync(join(to, "kv"), { recursive: true });
    await expect(open(to, { readOnly: true })).rejects.toMatchObject({ code: "ERR_SERIES_CORRUPT" });
    rmSync(to, { recursive: true });
    await series.backup(to);
    await series.close();
    expect((await contentAt(to)).m).toHaveLength(1000);
  });
});
