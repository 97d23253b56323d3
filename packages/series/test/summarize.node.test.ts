/** Kept summaries: queries are answered by them as by points, also after the points are gone. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { blockName } from "../build/blocks/format.js";
import { nodeStoreFileSystem } from "../build/file-system/store-file-system.js";
import { files as filesDriver, migrate, openSeries } from "../build/index.js";
import { readManifest } from "../build/manifest/manifest-files.js";
import { openWith } from "../build/open.js";
import { readOptions } from "../build/options.js";
import { repairWith } from "../build/repair/repair.js";
import type { Aggregate, Series, SeriesOptions, SeriesWarning, WindowQuery, WindowRow } from "../src/api.ts";
import { ForgetfulFileSystem } from "./harness/forgetful-file-system.ts";
import { randomFrom } from "./reference/vectors/random.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const PATH = "/summaries";
const START = 2900 * 7 * DAY + 3 * DAY;
const ALL: readonly Aggregate[] = ["min", "max", "sum", "avg", "count", "first", "last"];
const SUMMARIZE: SeriesOptions["summarize"] = [{ window: "5m", aggregate: ALL as never, keep: "1y" }];
const load = { name: "cpu.load", tags: { host: "a1" } };

/** A store in memory, with a clock. */
class Store {
  files = new ForgetfulFileSystem();
  now = START;
  series!: Series;
  readonly warnings: string[] = [];
  options: SeriesOptions = { summarize: SUMMARIZE! };

  async open(options: SeriesOptions = {}): Promise<Series> {
    this.options = { ...this.options, ...options };
    this.series = await this.#open({});
    return this.series;
  }

  async #open(options: SeriesOptions): Promise<Series> {
    const settings = readOptions({
      ...this.options,
      path: PATH,
      driver: filesDriver(),
      now: () => this.now,
      onWarning: ({ message }: SeriesWarning) => this.warnings.push(message),
      ...options,
    });
    return await openWith(settings, this.files);
  }

  async reopen(options: SeriesOptions = {}): Promise<Series> {
    await this.series.close();
    return await this.open(options);
  }

  /** A second process that reads. */
  async follow(): Promise<Series> {
    return await this.#open({ readOnly: true });
  }

  /** Writes a point each 20 seconds, with values of a function. */
  async fill(from: number, to: number, value = (i: number) => ((i * 7919) % 1000) / 10, metric = load): Promise<void> {
    const times = Float64Array.from({ length: Math.ceil((to - from) / 20_000) }, (_, i) => from + 20_000 * i);
    await this.series.writeColumn(
      metric,
      times,
      times.map((time) => value(time / 20_000)),
    );
  }

  /** Seals and summarizes. */
  async settle(): Promise<void> {
    await this.series.flush();
    await this.series.compact();
  }

  async record() {
    return (await readManifest(this.files, PATH))!.summaries;
  }
}

/** The options of a query, except its window. */
interface Options extends Partial<Omit<WindowQuery, "window" | "metric">> {
  readonly metric?: typeof load;
}

async function rowsOf(
  series: Series,
  window: number | string = HOUR,
  { metric = load, aggregate = ALL, ...rest }: Options = {},
): Promise<WindowRow[]> {
  return await series.query({ metric, window: window as never, aggregate, ...rest }).toArray();
}

/** Rows whose sums may differ in the last digits. */
function near(rows: readonly WindowRow[]): unknown[] {
  return rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([k, v]) => [k, typeof v === "number" ? Number(v.toPrecision(13)) : v])),
  );
}

test("windows are summarized when they are complete, and the same as from points", async () => {
  const store = new Store();
  await store.open();
  await store.fill(START - 5 * HOUR, START);
  const before = await rowsOf(store.series);
  await store.settle();
  const [record] = await store.record();
  expect(record).toMatchObject({ window: 5 * MINUTE, until: START, isOpen: true });
  expect(record!.blocks).toHaveLength(1);
  // 60 windows of 8 roles.
  expect(record!.blocks[0]!.points).toBe(60 * 8);
  for (const window of ["5m", "10m", "1h", "1d"]) {
    const rows = await rowsOf(store.series, window);
    const names = { aggregate: ["p50", ...ALL] as Aggregate[] };
    const raw = (await rowsOf(store.series, window, names)).map(({ p50: _, ...row }) => row);
    expect(near(rows)).toEqual(near(raw));
    expect(near(await rowsOf(store.series, window, { reverse: true }))).toEqual(near(raw.toReversed()));
  }
  expect(near(await rowsOf(store.series))).toEqual(near(before));
  expect(await store.series.check()).toEqual([]);
  await store.series.close();
});

test("summaries answer after the points are gone", async () => {
  const store = new Store();
  await store.open({ retention: "2d", summarize: [{ window: "5m", aggregate: ["avg", "max"], keep: "30d" }] });
  const aggregate: Aggregate[] = ["avg", "max", "count"];
  await store.fill(START - DAY, START);
  await store.settle();
  const rows = await rowsOf(store.series, "1h", { aggregate });
  store.now += 10 * DAY;
  await store.series.compact();
  await store.fill(store.now - HOUR, store.now);
  await store.settle();
  await store.series.dropOld();
  const { blocks } = (await readManifest(store.files, PATH))!;
  expect(Math.min(...blocks.map(({ from }) => from))).toBeGreaterThan(START);
  const old = { aggregate, to: START };
  expect(near(await rowsOf(store.series, "1h", old))).toEqual(near(rows));
  expect(near(await rowsOf(store.series, "1h", { ...old, reverse: true, limit: 3 }))).toEqual(
    near(rows.toReversed().slice(0, 3)),
  );
  const selected: number[] = [];
  for await (const { starts } of store.series.select({ name: "cpu.load", window: "1h", ...old }).batches())
    selected.push(...starts);
  expect(selected).toEqual(rows.map(({ start }) => start));
  // What summaries do not have has no rows.
  expect(await rowsOf(store.series, "1h", { ...old, aggregate: ["p99"] })).toEqual([]);
  expect(await rowsOf(store.series, "1h", { ...old, aggregate: ["min"] })).toEqual([]);
  expect(await rowsOf(store.series, "7m", old)).toEqual([]);
  expect(await store.series.query({ metric: load, to: START }).toArray()).toEqual([]);
  // The first and the last window are left out if only a part of them is in the range.
  const cut = await rowsOf(store.series, "1h", { aggregate, from: START - 10 * HOUR + 1, to: START - 7 * HOUR - 1 });
  expect(cut.map(({ start }) => start)).toEqual([START - 9 * HOUR]);
  const whole = await rowsOf(store.series, "1h", {
    aggregate,
    from: START - 10 * HOUR + 5 * MINUTE,
    to: START - 9 * HOUR,
  });
  expect(whole).toMatchObject([{ start: START - 10 * HOUR, count: 55 * 3 }]);
  await store.reopen();
  expect(near(await rowsOf(store.series, "1h", old))).toEqual(near(rows));
  const follower = await store.follow();
  expect(near(await rowsOf(follower, "1h", old))).toEqual(near(rows));
  await follower.close();
  store.now += 30 * DAY;
  expect(await rowsOf(store.series, "1h", old)).toEqual([]);
  await store.series.dropOld();
  expect((await store.record())[0]!.blocks.every(({ to }) => to > START)).toBe(true);
  await store.series.close();
});

test("late points correct summaries at once, deletes too", async () => {
  const store = new Store();
  await store.open();
  await store.fill(START - 6 * HOUR, START);
  await store.settle();
  const at = START - 3 * HOUR + 7 * MINUTE;
  const [before] = await rowsOf(store.series, "1h", { from: at - 7 * MINUTE, to: at + 53 * MINUTE });
  const check = async (series: Series, change: { count: number; max?: number }) => {
    const range = { from: at - 7 * MINUTE, to: at + 53 * MINUTE };
    expect(await rowsOf(series, "1h", range)).toMatchObject([change]);
    const { count } = change;
    const five = await rowsOf(series, "5m", range);
    expect(five.reduce((sum, row) => sum + (row.count as number), 0)).toBe(count);
  };
  const count = before!.count as number;
  await store.series.write([{ metric: load, timestamp: at + 1, value: 1e6 }]);
  await check(store.series, { count: count + 1, max: 1e6 });
  await store.series.flush();
  await check(store.series, { count: count + 1, max: 1e6 });
  const follower = await store.follow();
  await check(follower, { count: count + 1, max: 1e6 });
  await store.series.compact();
  await check(store.series, { count: count + 1, max: 1e6 });
  expect((await store.record())[0]!.blocks.length).toBeGreaterThan(0);

  await store.series.delete({ metric: load, from: at + 1, to: at + 2 });
  await check(store.series, { count });
  await store.series.flush();
  await check(store.series, { count });
  await store.series.compact();
  await check(store.series, { count });
  await store.reopen();
  await check(store.series, { count });
  await new Promise((resolve) => setTimeout(resolve, 120));
  await check(follower, { count });
  await follower.close();
  // A forgotten metric has no windows, and neither has its successor.
  await store.series.delete({ metric: load });
  await store.fill(START - MINUTE, START);
  expect(await rowsOf(store.series, "1h")).toMatchObject([{ count: 3 }]);
  await store.settle();
  expect(await rowsOf(store.series, "1h")).toMatchObject([{ count: 3 }]);
  await store.series.close();
});

test("int64: exact values, NaN, infinities and sums beyond the range of floats", async () => {
  const store = new Store();
  await store.open();
  const counter = { name: "bytes", tags: {}, type: "int64" } as const;
  const times = Float64Array.from({ length: 30 }, (_, i) => START - HOUR + i * MINUTE);
  await store.series.writeColumn(
    counter,
    times,
    BigInt64Array.from(times, (_, i) => 2n ** 62n + BigInt(i)),
  );
  const special = { name: "special", tags: { host: "x" } };
  const values = [
    1e308,
    1e308,
    1e308,
    NaN,
    -0,
    0,
    5,
    1e308,
    1e308,
    -1e308,
    Infinity,
    1,
    3,
    1,
    Infinity,
    -Infinity,
    NaN,
  ];
  await store.series.writeColumn(special, times.slice(0, values.length), Float64Array.from(values));
  const gaps = { name: "gaps", tags: { host: "x" } };
  await store.series.writeColumn(gaps, times, new Float64Array(30).fill(Number.NaN));
  const ask = async () => {
    const rows: unknown[] = [];
    for (const window of ["5m", "15m", "1h"])
      for (const metric of [counter, special, gaps])
        rows.push(await rowsOf(store.series, window, { metric: metric as never }));
    return rows;
  };
  const raw = await ask();
  await store.settle();
  expect(await ask()).toEqual(raw);
  expect((raw[0] as WindowRow[])[0]).toMatchObject({ min: 2n ** 62n, last: 2n ** 62n + 4n });
  // The mean of 1e308 three times is finite, its sum is not.
  expect((raw[1] as WindowRow[])[0]).toMatchObject({ sum: Infinity, avg: 7.5e307 });
  await store.series.close();
});

test("days of a zone are answered by hours, and those of a zone with half an hour by points", async () => {
  const store = new Store();
  await store.open({ retention: "2d", summarize: [{ window: "1h", aggregate: ["count"], keep: "1y" }] });
  await store.fill(START - DAY, START);
  await store.settle();
  store.now += 20 * DAY;
  await store.fill(store.now - HOUR, store.now);
  await store.settle();
  await store.series.dropOld();
  const days = async (timeZone: string) => {
    const rows = await rowsOf(store.series, "1d", { timeZone, to: START + DAY, aggregate: ["count"] });
    return rows.map(({ count }) => count);
  };
  expect((await days("Europe/Berlin")).reduce<number>((sum, count) => sum + (count as number), 0)).toBe(DAY / 20_000);
  expect(await days("Asia/Kolkata")).toEqual([]);
  await store.series.close();
});

test("points wait for their summary before retention deletes them", async () => {
  const store = new Store();
  await store.open({ retention: "1h", summarize: [{ window: "1d", aggregate: ["count"], keep: "1y" }] });
  const day = START - (START % DAY);
  let points = 0;
  for (store.now = day; store.now < day + DAY; store.now += HOUR) {
    await store.fill(store.now - HOUR / 2, store.now);
    points += HOUR / 2 / 20_000;
    await store.settle();
    await store.series.dropOld();
  }
  store.now = day + DAY + HOUR;
  await store.settle();
  // The first half hour was of the day before.
  const rows = await rowsOf(store.series, "1d", { aggregate: ["count"] });
  expect(rows.map(({ count }) => count)).toEqual([90, points - 90]);
  await store.series.dropOld();
  store.now += 10 * DAY;
  await store.fill(store.now - MINUTE, store.now);
  await store.settle();
  await store.series.dropOld();
  expect((await readManifest(store.files, PATH))!.blocks.length).toBe(1);
  expect((await rowsOf(store.series, "1d", { aggregate: ["count"] })).map(({ count }) => count)).toEqual([
    90,
    points - 90,
    3,
  ]);
  await store.series.close();
});

test("a part of a window whose points are gone cannot be deleted", async () => {
  const store = new Store();
  await store.open({ retention: "2d" });
  await store.fill(START - HOUR, START);
  await store.settle();
  store.now += 5 * DAY;
  await store.series.compact();
  await store.series.dropOld();
  const from = START - HOUR;
  await expect(store.series.delete({ metric: load, from: from + 1, to: from + 10 * MINUTE })).rejects.toMatchObject({
    code: "ERR_INVALID_ARGUMENT",
    message: expect.stringContaining(new Date(from + 5 * MINUTE).toISOString()),
  });
  await store.series.delete({ metric: load, from: from + 5 * MINUTE, to: from + 10 * MINUTE });
  const starts = async () => (await rowsOf(store.series, "5m")).map(({ start }) => (start - from) / MINUTE);
  const expected = [0, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55];
  expect(await starts()).toEqual(expected);
  await store.settle();
  expect(await starts()).toEqual(expected);
  await store.reopen();
  expect(await starts()).toEqual(expected);
  await store.series.close();
});

test("other definitions: what is kept stays, new ones begin with what is there", async () => {
  const store = new Store();
  await store.open({ retention: "2d", summarize: [{ window: "5m", aggregate: ["count"], keep: "60d" }] });
  await store.fill(START - DAY, START);
  await store.settle();
  const count = { aggregate: ["count"] as Aggregate[] };
  const max = { aggregate: ["count", "max"] as Aggregate[] };
  const total = (rows: WindowRow[]) => rows.reduce((sum, row) => sum + (row.count as number), 0);
  store.now += 5 * DAY;
  await store.fill(store.now - DAY, store.now);
  await store.settle();
  await store.series.dropOld();
  expect(total(await rowsOf(store.series, "1h", count))).toBe((2 * DAY) / 20_000);
  await store.reopen({ summarize: [{ window: "5m", aggregate: ["count", "max"], keep: "60d" }] });
  await store.settle();
  expect((await store.record()).map(({ isOpen }) => isOpen)).toEqual([false, true]);
  expect(total(await rowsOf(store.series, "1h", count))).toBe((2 * DAY) / 20_000);
  expect(total(await rowsOf(store.series, "1h", max))).toBe(DAY / 20_000);
  // Without the option nothing changes.
  await store.reopen({ summarize: undefined as never });
  expect((await store.record()).map(({ isOpen }) => isOpen)).toEqual([false, true]);
  await store.reopen({ summarize: [] });
  await store.fill(store.now, store.now + HOUR);
  store.now += HOUR;
  await store.settle();
  expect((await store.record()).map(({ isOpen }) => isOpen)).toEqual([false, false]);
  expect(total(await rowsOf(store.series, "1h", count))).toBe((2 * DAY + HOUR) / 20_000);
  store.now += 61 * DAY;
  await store.series.dropOld();
  expect(await store.record()).toEqual([]);
  await store.series.close();
});

test("a store that has no summaries yet: months of history, week by week", async () => {
  const store = new Store();
  await store.open({ summarize: undefined as never });
  const times = Float64Array.from({ length: 2000 }, (_, i) => START - 2000 * HOUR + i * HOUR);
  await store.series.writeColumn(
    load,
    times,
    times.map((_, i) => i),
  );
  await store.series.write([{ metric: load, timestamp: 5, value: -1 }]);
  await store.settle();
  const raw = await rowsOf(store.series, "1d");
  await store.reopen({ summarize: [{ window: "1h", aggregate: ALL as never, keep: "forever" }] });
  await store.settle();
  const [record] = await store.record();
  // The last hour is not complete.
  expect(record!.until).toBe(START - HOUR);
  expect(near(await rowsOf(store.series, "1d"))).toEqual(near(raw));
  await store.series.close();
});

test("backup, repair and a manifest's format", async () => {
  const store = new Store();
  await store.open({ retention: "2d" });
  await store.fill(START - DAY, START);
  await store.settle();
  const rows = await rowsOf(store.series, "1h");
  store.now += 10 * DAY;
  await store.series.dropOld();
  await store.series.close();
  const numbers = (await store.files.list(join(PATH, "manifest"))).sort();
  const bytes = await store.files.read(join(PATH, "manifest", numbers.at(-1)!));
  expect(JSON.parse(new TextDecoder().decode(bytes.subarray(4)))).toMatchObject({ format: 3 });
  for (const number of numbers) await store.files.unlink(join(PATH, "manifest", number));
  await repairWith(PATH, store.files);
  await store.open({ summarize: undefined as never });
  expect(near(await rowsOf(store.series, "1h"))).toEqual(near(rows));
  await store.settle();
  expect(near(await rowsOf(store.series, "1h"))).toEqual(near(rows));
  expect(store.warnings).toEqual([]);
  await store.series.close();
});

test("random late points, deletes and restarts: writer and reader answer as from points", async () => {
  for (let seed = 1; seed <= 3; seed++) {
    const random = randomFrom(seed);
    const store = new Store();
    const summarize = [
      { window: "1m", aggregate: ALL as never, keep: "300d" },
      { window: "30m", aggregate: ALL as never, keep: "300d" },
    ] as const;
    await store.open({ summarize });
    let follower = await store.follow();
    const metrics = [load, { name: "cpu.load", tags: { host: "b1" } }];
    for (let step = 0; step < 40; step++) {
      const metric = metrics[random(2)]!;
      const at = store.now - random([HOUR, 10 * HOUR][random(2)]!);
      const kind = random(10);
      if (kind < 4) await store.fill(at, at + random(2 * HOUR), (i) => (i * random(9)) % 100, metric);
      else if (kind === 4) await store.series.delete({ metric, from: at, to: at + random(HOUR) });
      else if (kind === 5) await store.series.flush();
      else if (kind === 6) await store.settle();
      else if (kind === 7) await store.reopen();
      else if (kind === 8 && random(4) === 0) await store.series.delete({ metric });
      store.now += random(20 * MINUTE);
      if (step % 4 !== 3) continue;
      await follower.close();
      follower = await store.follow();
      for (const one of metrics)
        for (const window of [MINUTE, 30 * MINUTE, 2 * HOUR]) {
          const raw = await rowsOf(store.series, window, { metric: one, aggregate: ["p50", ...ALL] });
          const expected = near(raw.map(({ p50: _, ...row }) => row));
          expect(near(await rowsOf(store.series, window, { metric: one }))).toEqual(expected);
          expect(near(await rowsOf(follower, window, { metric: one }))).toEqual(expected);
        }
    }
    expect(await store.series.check()).toEqual([]);
    expect(store.warnings).toEqual([]);
    await follower.close();
    await store.series.close();
  }
});

test("a damaged summary block is found, with the metrics, and quarantined by a merge", async () => {
  const store = new Store();
  await store.open();
  await store.fill(START - HOUR, START);
  await store.settle();
  const [first] = (await store.record())[0]!.blocks;
  const path = join(PATH, blockName(first!.file));
  await store.series.close();
  const bytes = await store.files.read(path);
  bytes[40]! ^= 1;
  await store.files.unlink(path);
  const file = await store.files.create(path);
  await file.write(bytes, 0);
  await file.close();
  await store.open();
  const [damage] = await store.series.check();
  expect(damage).toMatchObject({ message: expect.stringContaining("metric 0") });
  await expect(rowsOf(store.series)).rejects.toMatchObject({ code: "ERR_SERIES_CORRUPT" });
  await store.fill(START, START + 30 * MINUTE);
  store.now += HOUR;
  await store.settle();
  expect(await store.series.check()).toEqual([]);
  expect(store.warnings.length).toBeGreaterThan(0);
  expect((await store.files.list(join(PATH, "quarantine"))).length).toBe(1);
  await store.series.close();
});

test("on a full disk points stay until they are summarized", async () => {
  const store = new Store();
  await store.open({ retention: "2h" });
  await store.fill(START - HOUR, START);
  await store.series.flush();
  const { blocks } = (await readManifest(store.files, PATH))!;
  const create = store.files.create.bind(store.files);
  store.files.create = (path) =>
    path.endsWith(".blk") ? Promise.reject(Object.assign(new Error("ENOSPC"), { code: "ENOSPC" })) : create(path);
  store.now += 5 * HOUR;
  await expect(store.series.compact()).rejects.toMatchObject({ code: "ERR_SERIES_FULL" });
  await expect(store.series.dropOld()).rejects.toMatchObject({ code: "ERR_SERIES_FULL" });
  expect((await readManifest(store.files, PATH))!.blocks).toEqual(blocks);
  store.files.create = create;
  await store.settle();
  await store.series.dropOld();
  expect((await readManifest(store.files, PATH))!.blocks).toEqual([]);
  expect(await rowsOf(store.series, "2h", { aggregate: ["count"] })).toMatchObject([{ count: 180 }]);
  await store.series.close();
});

test("migration refuses a store with summaries", async () => {
  const folder = mkdtempSync(join(tmpdir(), "moonpack-summaries-"));
  const series = await openSeries({ path: join(folder, "old"), summarize: SUMMARIZE! });
  await series.close();
  await expect(migrate({ path: join(folder, "old") }, join(folder, "new"))).rejects.toMatchObject({
    code: "ERR_SERIES_STORE",
    message: expect.stringContaining("keeps summaries"),
  });
  // A backup has them.
  const again = await openSeries({ path: join(folder, "old") });
  await again.backup(join(folder, "copy"));
  await again.close();
  const copy = await readManifest(nodeStoreFileSystem(), join(folder, "copy"));
  expect(copy!.summaries).toMatchObject([{ window: 5 * MINUTE, isOpen: true }]);
  rmSync(folder, { recursive: true });
});
