/** Background merging leaves the disk to others, in speed and in space; a store on a full disk can still drop old points. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import { Pace } from "../build/compact/pace.js";
import { files } from "../build/drivers/files.js";
import { openWith } from "../build/open.js";
import { readOptions } from "../build/options.js";
import type { Series, SeriesOptions, SeriesWarning } from "../src/api.ts";
import type { LogFile } from "../src/log/file-system.ts";
import { FailingFileSystem } from "./harness/failing-file-system.ts";
import { ForgetfulFileSystem } from "./harness/forgetful-file-system.ts";
import { randomFrom } from "./reference/vectors/random.ts";

const DAY = 86_400_000;
const WEEK = 7 * DAY;
const MINUTE = 60_000;
const START = 2_000 * WEEK;
const root = mkdtempSync(join(tmpdir(), "moonpack-files-space-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A store whose disk and clock a test sets. */
class Place {
  readonly disk = new FailingFileSystem(new ForgetfulFileSystem());
  readonly warnings: SeriesWarning[] = [];
  now: number;
  readonly #path: string;

  constructor(name: string, now: number) {
    this.#path = join(root, name);
    this.now = now;
  }

  async open(options: Partial<SeriesOptions> = {}): Promise<Series> {
    const onWarning = (warning: SeriesWarning) => void this.warnings.push(warning);
    const now = () => this.now;
    const settings = readOptions({ path: this.#path, driver: files(), now, onWarning, ...options });
    return await openWith(settings, this.disk);
  }

  async blocks(): Promise<number> {
    return (await this.disk.list(join(this.#path, "blocks"))).length;
  }

  async hasBallast(): Promise<boolean> {
    return (await this.disk.size(join(this.#path, "ballast")).catch(() => 0)) === 2 ** 20;
  }
}

async function eventually(isSo: () => Promise<boolean>): Promise<void> {
  for (let left = 1000; !(await isSo().catch(() => false)); left--) {
    if (left === 0) throw new Error("it did not come to be so");
    await sleep(20);
  }
}

describe("pace", () => {
  const nowhere: LogFile = {
    write: async () => {},
    truncate: async () => {},
    datasync: async () => {},
    close: async () => {},
  };

  test("bytes take their time; time that was not used is lost; a hurried job does not sleep", async () => {
    let time = 0;
    let isHurried = false;
    let naps = 0;
    const clock = {
      now: () => time,
      async sleep(milliseconds: number) {
        expect(milliseconds).toBeLessThanOrEqual(50);
        time += milliseconds;
        naps++;
      },
    };
    const file = new Pace(1000, () => isHurried, clock).file(nowhere);
    for (let i = 0; i < 10; i++) await file.write(new Uint8Array(200), 0);
    expect(time).toBe(2000);
    time += 10_000;
    await file.write(new Uint8Array(500), 0);
    expect(time).toBe(12_500);
    isHurried = true;
    naps = 0;
    await file.write(new Uint8Array(1_000_000), 0);
    expect(naps).toBe(0);
    isHurried = false;
    await file.write(new Uint8Array(100), 0);
    expect(time).toBe(12_600);
  });
});

/** Four blocks of one week, which background merging makes one. */
async function fourBlocks(place: Place, options: Partial<SeriesOptions>): Promise<Series> {
  const series = await place.open(options);
  const random = randomFrom(1);
  for (let block = 0; block < 4; block++) {
    for (let metric = 0; metric < 4; metric++) {
      const times = Float64Array.from({ length: 15_000 }, (_, i) => place.now - 15 * MINUTE + 4 * i);
      await series.writeColumn({ name: `m${metric}` }, times, times.map(random));
    }
    await series.flush();
    place.now += 15 * MINUTE;
  }
  return series;
}

/** Starts a round, as the clock would. */
async function startRound(place: Place, series: Series): Promise<void> {
  place.now += 11_000;
  await series.write([{ metric: { name: "m0" }, timestamp: place.now, value: 0 }]);
}

const merged = async (series: Series) => (await series.stats()).hoursWritten;

test("background merging keeps its pace", async () => {
  const place = new Place("pace", START + DAY);
  const series = await fourBlocks(place, { compactBytesPerSecond: 2 ** 20 });
  const start = performance.now();
  await startRound(place, series);
  await eventually(async () => (await merged(series)) === 1);
  const { diskBytes } = await series.stats();
  expect(diskBytes).toBeGreaterThan(2 ** 20);
  expect(performance.now() - start).toBeGreaterThan((900 * diskBytes) / 2 ** 20);
  await series.close();
});

test("a round does not wait for it", { timeout: 20_000 }, async () => {
  const place = new Place("hurry", START + DAY);
  const series = await fourBlocks(place, { compactBytesPerSecond: 65_536 });
  await startRound(place, series);
  await sleep(200);
  expect(await merged(series)).toBe(0);
  // Alone it would take half a minute.
  await series.flush();
  expect(await merged(series)).toBe(1);
  await series.close();
});

test("a store is closed while it merges slowly", { timeout: 20_000 }, async () => {
  const place = new Place("closed", START + DAY);
  const series = await fourBlocks(place, { compactBytesPerSecond: 65_536 });
  await startRound(place, series);
  await sleep(200);
  await series.close();
  expect(place.warnings).toEqual([]);
});

test("merging waits for space, and warns once", async () => {
  const place = new Place("cramped", START + DAY);
  const series = await fourBlocks(place, {});
  place.disk.space = 64 * 2 ** 20;
  for (let i = 0; i < 3; i++) {
    await startRound(place, series);
    await series.flush();
  }
  expect(await merged(series)).toBe(0);
  expect(place.warnings).toEqual([
    { kind: "retry", message: expect.stringMatching(/^compaction waits for space: it needs \d+ bytes, \d+ are free$/) },
  ]);
  place.disk.space = Number.POSITIVE_INFINITY;
  await startRound(place, series);
  await eventually(async () => (await merged(series)) > 0);
  await series.close();
});

test("dropOld() trusts the clock: it does not wait for an hour, and drops most of the blocks", async () => {
  const place = new Place("dropped", START);
  let series = await place.open();
  for (let week = 0; week < 6; week++) {
    place.now = START + week * WEEK;
    await series.write([{ metric: { name: "m" }, timestamp: place.now, value: week }]);
    await series.flush();
  }
  await series.close();
  expect(await place.blocks()).toBe(6);
  place.now += 3 * DAY;
  series = await place.open({ retention: WEEK });
  await series.dropOld();
  expect((await series.stats()).diskBytes).toBeLessThan(1000);
  expect(await series.query({ metric: { name: "m" } }).toArray()).toEqual([{ timestamp: START + 5 * WEEK, value: 5 }]);
  await series.close();
  // Files that no manifest names go when the store is opened, or ten minutes later.
  series = await place.open();
  expect(await place.blocks()).toBe(1);
  expect(await series.query({ metric: { name: "m" } }).toArray()).toHaveLength(1);
  await series.close();
});

test("on a full disk old points are dropped by means of the ballast, and writes succeed again", {
  timeout: 30_000,
}, async () => {
  const WEEKS = 12;
  const place = new Place("full", START + WEEKS * WEEK + 1000);
  let series = await place.open();
  const random = randomFrom(2);
  const n = 20_000;
  for (let week = 0; week < WEEKS; week++) {
    const times = Float64Array.from({ length: n }, (_, i) => START + week * WEEK + 1000 * i);
    await series.writeColumn({ name: "m" }, times, times.map(random));
  }
  await series.write([{ metric: { name: "m" }, timestamp: place.now, value: 0 }]);
  await series.flush();
  await series.close();
  expect(await place.hasBallast()).toBe(true);
  const before = await place.blocks();
  expect(before).toBeGreaterThan(10);

  series = await place.open({ retention: WEEKS * WEEK - 6 * DAY });
  place.disk.space = 0;
  const deleted = series.delete({ metric: { name: "m" }, from: START + 5 * WEEK, to: START + 6 * WEEK });
  await expect(deleted).rejects.toMatchObject({ code: "ERR_SERIES_FULL" });
  place.now += 11_000;
  const written = () => series.write([{ metric: { name: "m" }, timestamp: place.now, value: 1 }]);
  await eventually(async () => (await written()).accepted === 1);
  expect(await place.blocks()).toBe(before - 1);
  expect((await series.last({ name: "m" }))?.value).toBe(1);
  // The ballast is taken again by a later round.
  place.disk.space = Number.POSITIVE_INFINITY;
  place.now += 11_000;
  await written();
  await eventually(() => place.hasBallast());
  await series.close();
  series = await place.open();
  expect(await series.query({ metric: { name: "m" }, to: START + WEEK }).toArray()).toEqual([]);
  expect(
    (await series.query({ metric: { name: "m" }, from: START + WEEK, to: START + 2 * WEEK }).toArray()).length,
  ).toBe(n);
  expect(await series.check()).toEqual([]);
  await series.close();
});

test("a store is opened on a full disk: the ballast makes room for its log", async () => {
  const place = new Place("opened", START);
  let series = await place.open();
  await series.write([{ metric: { name: "m" }, timestamp: START, value: 1 }]);
  await series.close();
  place.disk.space = 0;
  series = await place.open();
  expect((await series.last({ name: "m" }))?.value).toBe(1);
  expect(await place.hasBallast()).toBe(false);
  await series.close();
});
