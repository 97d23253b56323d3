/** Damage in the files of a store: found by checksums, named by metric and span; all else is served. */
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { files, openSeries, repair, SeriesError } from "@moonpack/series";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Series, SeriesWarning } from "../src/api.ts";
import { randomFrom } from "./reference/vectors/random.ts";

const root = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "moonpack-files-damage-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const NOW = 1_700_000_000_000;
const METRICS = 40;
const POINTS = 700;
const healthy = join(root, "healthy");

const value = (metric: number, i: number) => metric * 1000 + (i % 97);

beforeAll(async () => {
  const series = await openSeries({ path: healthy, driver: files(), now: () => NOW });
  const set = await series.metricSet(
    Array.from({ length: METRICS }, (_, i) => ({ name: "m", tags: { i: String(i) } })),
  );
  for (let i = 0; i < POINTS; i++)
    await series.writeScrape(
      NOW - 1000 * (POINTS - i),
      set,
      Float64Array.from({ length: METRICS }, (_, m) => value(m, i)),
    );
  await series.flush();
  await series.close();
});

function copy(name: string): string {
  const path = join(root, name);
  rmSync(path, { recursive: true, force: true });
  cpSync(healthy, path, { recursive: true });
  return path;
}

const blockOf = (path: string) => join(path, "blocks", readdirSync(join(path, "blocks"))[0]!);

/** How many points of each metric are right; a wrong one throws. */
async function pointsOf(series: Series): Promise<number[]> {
  const counts: number[] = [];
  for (let m = 0; m < METRICS; m++) {
    const points = await series.query({ metric: { name: "m", tags: { i: String(m) } } }).toArray();
    for (const point of points) {
      const i = POINTS - (NOW - point.timestamp) / 1000;
      if (point.value !== value(m, i)) throw new Error(`metric ${m} has ${point.value} at ${point.timestamp}`);
    }
    counts.push(points.length);
  }
  return counts;
}

test("a flipped bit anywhere in a block: never a wrong point, never a store that does not open", async () => {
  const path = copy("flips");
  const block = blockOf(path);
  const bytes = readFileSync(block);
  const random = randomFrom(7);
  for (let round = 0; round < 60; round++) {
    const bit = random(8 * bytes.length);
    const flipped = Uint8Array.from(bytes);
    flipped[bit >> 3]! ^= 1 << (bit & 7);
    writeFileSync(block, flipped);
    const warnings: SeriesWarning[] = [];
    const series = await openSeries({
      path,
      driver: files(),
      readOnly: true,
      undecodable: "skip",
      now: () => NOW,
      onWarning: (warning) => warnings.push(warning),
    });
    const counts = await pointsOf(series);
    const lost = counts.filter((count) => count < POINTS).length;
    // The head of the file and its tail repeat what the manifest says.
    if (lost > 0) expect(warnings.length).toBeGreaterThan(0);
    const damage = await series.check();
    if (lost > 0) expect(damage.length).toBeGreaterThan(0);
    await series.close();
  }
});

test("a damaged chunk is named by its metric and span, and others are served", async () => {
  const path = copy("chunk");
  const block = blockOf(path);
  const bytes = readFileSync(block);
  // After the head and the first time column, the first chunk begins.
  bytes[60]! ^= 1;
  writeFileSync(block, bytes);
  const series = await openSeries({ path, driver: files(), now: () => NOW });
  let failed = 0;
  for (let m = 0; m < METRICS; m++) {
    try {
      await series.query({ metric: { name: "m", tags: { i: String(m) } } }).toArray();
    } catch (error) {
      failed++;
      expect(error).toBeInstanceOf(SeriesError);
      const { code, place } = error as SeriesError;
      expect(code).toBe("ERR_SERIES_CORRUPT");
      expect(place.file).toMatch(/^blocks\/\d{10}\.blk$/);
      expect(place.metrics).toEqual([m, m]);
      expect(place.from).toBe(NOW - 1000 * POINTS);
    }
  }
  expect(failed).toBe(1);
  await series.close();
});

test("compaction passes over damage, and keeps the damaged block in quarantine", async () => {
  const path = copy("quarantine");
  const block = blockOf(path);
  const bytes = readFileSync(block);
  bytes[60]! ^= 1;
  writeFileSync(block, bytes);
  const warnings: SeriesWarning[] = [];
  const series = await openSeries({ path, driver: files(), now: () => NOW, onWarning: (w) => warnings.push(w) });
  await series.write([{ metric: { name: "m", tags: { i: "3" } }, timestamp: NOW - 5000, value: value(3, POINTS - 5) }]);
  await series.flush();
  await series.compact();
  expect(readdirSync(join(path, "quarantine"))).toHaveLength(1);
  expect(warnings.every(({ kind }) => kind === "corrupt")).toBe(true);
  expect(await series.check()).toEqual([]);
  const counts = await pointsOf(series);
  expect(counts.filter((count) => count === POINTS)).toHaveLength(METRICS - 1);
  await series.close();
});

test("the newest manifest is damaged: the one before counts, if its files are there", async () => {
  const path = copy("manifest");
  const folder = join(path, "manifest");
  const newest = join(folder, readdirSync(folder).sort().at(-1)!);
  copyFileSync(newest, join(folder, "0000009999"));
  const bytes = readFileSync(join(folder, "0000009999"));
  bytes[10]! ^= 4;
  writeFileSync(join(folder, "0000009999"), bytes);
  const series = await openSeries({ path, driver: files(), now: () => NOW });
  expect(await pointsOf(series)).toEqual(new Array(METRICS).fill(POINTS));
  await series.close();
  for (const name of readdirSync(folder)) writeFileSync(join(folder, name), new Uint8Array(10));
  await expect(openSeries({ path, driver: files() })).rejects.toMatchObject({ code: "ERR_SERIES_CORRUPT" });
});

test.each(["log only", "names only", "blocks and names"])("a folder without a manifest: %s", async (what) => {
  const path = join(root, what);
  let series = await openSeries({ path, driver: files(), now: () => NOW });
  await series.write([{ metric: { name: "a" }, timestamp: NOW, value: 1 }]);
  await series.flush();
  await series.write([{ metric: { name: "a" }, timestamp: NOW + 1, value: 2 }]);
  const copied = `${path} copied`;
  cpSync(path, copied, { recursive: true });
  await series.close();
  rmSync(join(copied, "lock"));
  const lost = { "log only": ["manifest", "blocks", "names"], "names only": ["manifest", "blocks", "log"] };
  for (const name of lost[what as keyof typeof lost] ?? ["manifest"]) rmSync(join(copied, name), { recursive: true });
  const before = readdirSync(copied, { recursive: true }).filter((name) => /\d/.test(String(name)));
  for (const readOnly of [true, false])
    await expect(openSeries({ path: copied, driver: files(), readOnly, now: () => NOW })).rejects.toMatchObject({
      code: "ERR_SERIES_CORRUPT",
      message: expect.stringContaining("but no manifest: repair() builds a new one"),
    });
  expect(readdirSync(copied, { recursive: true }).filter((name) => /\d/.test(String(name)))).toEqual(before);
  await repair(copied);
  series = await openSeries({ path: copied, driver: files(), now: () => NOW });
  const points = { "log only": 0, "names only": 0, "blocks and names": 2 }[what];
  expect(await series.query({ metric: { name: "a" } }).toArray()).toHaveLength(points!);
  await series.close();
});

test("a log from its first file on is a whole store", async () => {
  const path = join(root, "whole log");
  const series = await openSeries({ path, driver: files(), now: () => NOW });
  await series.write([{ metric: { name: "a" }, timestamp: NOW, value: 1 }]);
  const copied = `${path} copied`;
  mkdirSync(copied);
  cpSync(join(path, "log"), join(copied, "log"), { recursive: true });
  await series.close();
  const copy = await openSeries({ path: copied, driver: files(), now: () => NOW });
  expect(await copy.query({ metric: { name: "a" } }).toArray()).toEqual([{ timestamp: NOW, value: 1 }]);
  await copy.close();
});

test("a folder of another kind, and a reader without a store", async () => {
  const path = join(root, "other");
  mkdirSync(join(path, "kv"), { recursive: true });
  writeFileSync(join(path, "kv", "CURRENT"), "");
  await expect(openSeries({ path })).rejects.toMatchObject({
    code: "ERR_SERIES_VERSION",
    message: expect.stringContaining("open it with the driver that created it"),
  });
  await expect(openSeries({ path: join(path, "kv", "CURRENT") })).rejects.toMatchObject({
    code: "ERR_INVALID_ARGUMENT",
  });
  await expect(openSeries({ path: join(root, "none"), driver: files(), readOnly: true })).rejects.toMatchObject({
    code: "ERR_SERIES_STORE",
  });
});
