/** Damage: bytes that were flipped in pages and in entries of the store, and in the files of the log. */
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Series, SeriesOptions, SeriesWarning } from "@moonpack/series";
import { openSeries, SeriesError } from "@moonpack/series";
import { memoryDatabase, rocksdb } from "@moonpack/series-kv";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Driver, Store } from "../src/drivers/driver.ts";
import { HOURS, META, METRICS, MINUTES } from "../src/store/columns.ts";
import { KeptMemory } from "./harness/kept-memory.ts";
import { TestDriver } from "./harness/test-driver.ts";

const HOUR = 3_600_000;
/** The start of an hour. */
const START = 2800 * 168 * HOUR + 7 * HOUR;
const root = mkdtempSync(join(tmpdir(), "moonpack-damage-"));
afterAll(() => rmSync(root, { recursive: true }));

const metric = (i: number) => ({ name: `m${i}` });

async function errorOf(act: () => unknown): Promise<unknown> {
  try {
    await act();
  } catch (error) {
    return error;
  }
  return "no error";
}

/** All entries of a column. */
async function entriesOf(store: Store, column: number): Promise<[Uint8Array, Uint8Array][]> {
  const list: [Uint8Array, Uint8Array][] = [];
  for await (const piece of store.range(column, Uint8Array.of(0), new Uint8Array(9).fill(0xff)))
    for (const [key, value] of piece) list.push([key.slice(), value.slice()]);
  return list;
}

async function flip(store: Store, column: number, [key, value]: [Uint8Array, Uint8Array], at: number): Promise<void> {
  const damaged = value.slice();
  damaged[at]! ^= 0x10;
  await store.batch([{ column, key, value: damaged }], { sync: false });
}

const text = (key: Uint8Array) => Buffer.from(key).toString("hex");

describe("a page", () => {
  let warnings: SeriesWarning[];
  let now: number;
  beforeEach(() => {
    warnings = [];
    now = START + 90_000;
  });

  /** A store with three metrics in one group and one in another, in a page each of two minutes; rolled up if `column` is HOURS. */
  async function stored(
    column: number,
    options: Partial<SeriesOptions> = {},
    inner: Driver = memoryDatabase(),
  ): Promise<[Series, Store]> {
    const driver = new TestDriver(inner);
    const series = await openSeries({ driver, now: () => now, onWarning: (w) => warnings.push(w), ...options });
    for (let i = 0; i < 17; i++) await series.metric(metric(i));
    for (const i of [0, 1, 2, 16])
      for (const time of [START, START + 30_000, START + 60_000])
        await series.write([{ metric: metric(i), timestamp: time, value: i }]);
    await series.flush();
    if (column === HOURS) {
      now = START + 4 * HOUR;
      await series.compact();
    }
    return [series, driver.store];
  }

  const points = (i: number, ...offsets: number[]) => offsets.map((o) => ({ timestamp: START + o, value: i }));

  describe.each([
    ["minutes", MINUTES, 2],
    ["hours", HOURS, 1],
  ] as const)("of %s", (name, column, pagesOfGroup) => {
    test("flipped at any byte: ERR_SERIES_CORRUPT with column and key, and other pages are read", async () => {
      const [series, store] = await stored(column);
      const [page] = await entriesOf(store, column);
      for (let at = 0; at < page![1].length; at++) {
        await flip(store, column, page!, at);
        const error = (await errorOf(() => series.query({ metric: metric(1) }).toArray())) as SeriesError;
        expect(error).toBeInstanceOf(SeriesError);
        expect(error).toMatchObject({ code: "ERR_SERIES_CORRUPT", place: { column: name } });
        expect(text(error.place.key!)).toBe(text(page![0]));
        expect(error.message).toContain(text(page![0]));
      }
      expect(await series.query({ metric: metric(16) }).toArray()).toEqual(points(16, 0, 30_000, 60_000));
      const after = { metric: metric(1), from: START + HOUR };
      expect(await series.query(after).toArray()).toEqual([]);
      expect((await series.stats()).corrupt).toBe(page![1].length);
      expect(await series.check()).toMatchObject([{ column: name, message: expect.stringMatching(/./) }]);
      await series.close();
    });

    test('with undecodable "skip" the rest is read, and onWarning is called', async () => {
      const [series, store] = await stored(column, { undecodable: "skip" });
      const [page] = await entriesOf(store, column);
      await flip(store, column, page!, 5);
      const left = pagesOfGroup === 2 ? points(1, 60_000) : [];
      expect(await series.query({ metric: metric(1) }).toArray()).toEqual(left);
      expect(await series.query({ metric: metric(1), reverse: true, limit: 1 }).toArray()).toEqual(left);
      expect(await series.query({ metric: metric(16) }).toArray()).toHaveLength(3);
      expect(warnings.map(({ kind }) => kind)).toEqual(["corrupt", "corrupt"].slice(0, warnings.length));
      expect(warnings[0]!.cause).toMatchObject({ code: "ERR_SERIES_CORRUPT", place: { column: name } });
      expect((await series.stats()).corrupt).toBe(warnings.length);
      await series.close();
    });

    test("a round that writes into it keeps it aside under `bad`, whatever undecodable says", async () => {
      const [series, store] = await stored(column);
      const [page] = await entriesOf(store, column);
      await flip(store, column, page!, 5);
      const damaged = (await entriesOf(store, column))[0]![1];
      // A late point of the same minute; roll-up then merges it into the hour.
      await series.write([{ metric: metric(1), timestamp: START + 1, value: 9 }]);
      await series.flush();
      await series.compact();
      const kept = (await entriesOf(store, META)).filter(([key]) =>
        Buffer.from(key).toString("latin1").startsWith("bad "),
      );
      expect(kept).toHaveLength(1);
      expect(text(kept[0]![0])).toBe(Buffer.from(`bad ${name} `).toString("hex") + text(page![0]));
      expect(text(kept[0]![1])).toBe(text(damaged));
      expect(await series.query({ metric: metric(1), to: START + 60_000 }).toArray()).toEqual([
        { timestamp: START + 1, value: 9 },
      ]);
      expect(warnings.map(({ kind }) => kind)).toEqual(["corrupt"]);
      expect(await series.check()).toMatchObject([{ column: "meta" }]);
      expect((await series.stats()).corrupt).toBe(1);
      await series.close();
    });

    test("a delete passes it over, and is applied to the others", async () => {
      const [series, store] = await stored(column);
      const pages = await entriesOf(store, column);
      await flip(store, column, pages[0]!, 5);
      await series.delete({ metric: metric(16), from: START + 30_000 });
      await series.delete({ metric: metric(1), to: START + 61_000 });
      expect(await series.query({ metric: metric(16) }).toArray()).toEqual(points(16, 0));
      const left = series.query({ metric: metric(1), from: START + 60_000 });
      if (pagesOfGroup === 2) expect(await left.toArray()).toEqual([]);
      else expect(await errorOf(() => left.toArray())).toMatchObject({ code: "ERR_SERIES_CORRUPT" });
      expect(warnings.length).toBeGreaterThan(0);
      await series.close();
    });
  });

  test("of RocksDB, in a store that is opened again", async () => {
    const path = join(root, "rocksdb");
    let [series] = await stored(MINUTES, { path }, rocksdb());
    await series.close();
    const columns = ["meta", "metrics", "index", "minutes", "hours"];
    const store = await rocksdb().open(join(path, "kv"), { columns, readOnly: false, maxCacheBytes: 0 });
    await flip(store, MINUTES, (await entriesOf(store, MINUTES))[0]!, 12);
    await store.close();
    series = await openSeries({ path, driver: rocksdb(), now: () => now });
    expect(await errorOf(() => series.query({ metric: metric(0) }).toArray())).toMatchObject({
      code: "ERR_SERIES_CORRUPT",
    });
    expect(await series.query({ metric: metric(16) }).toArray()).toHaveLength(3);
    expect(await series.check()).toMatchObject([{ column: "minutes" }]);
    await series.close();
  });

  test("an entry of a metric that is damaged: ERR_SERIES_CORRUPT", async () => {
    const kept = new KeptMemory();
    const path = join(root, "entry");
    mkdirSync(path);
    let [series, store] = await stored(MINUTES, { path }, kept.driver());
    const entries = await entriesOf(store, METRICS);
    const byForm = entries.find(([key, value]) => key[0] === 1 && value[3] === 2)!;
    const byId = entries.find(([key]) => key[0] === 2 && key[4] === 1)!;
    await flip(store, METRICS, byForm, 4);
    await flip(store, METRICS, byId, 0);
    await series.close();
    series = await openSeries({ path, driver: kept.driver(), now: () => now });
    const error = { code: "ERR_SERIES_CORRUPT", place: { column: "metrics" } };
    expect(await errorOf(() => series.query({ metric: metric(2) }).toArray())).toMatchObject(error);
    expect(await errorOf(() => series.write([{ metric: metric(2), timestamp: now, value: 1 }]))).toMatchObject(error);
    const all = async () => {
      for await (const _ of series.metrics());
    };
    expect(await errorOf(all)).toMatchObject(error);
    expect(await series.query({ metric: metric(0) }).toArray()).toHaveLength(3);
    expect(await series.check()).toHaveLength(2);
    await series.close();
  });

  test("a number of meta that is damaged: ERR_SERIES_CORRUPT when the store is opened", async () => {
    const kept = new KeptMemory();
    const path = join(root, "meta");
    mkdirSync(path);
    const [series] = await stored(MINUTES, { path }, kept.driver());
    await series.close();
    const store = await kept.driver().open(join(path, "kv"), { columns: ["meta"], readOnly: false, maxCacheBytes: 0 });
    await store.batch([{ column: META, key: Buffer.from("sealed"), value: Uint8Array.of(1) }], { sync: true });
    await store.close();
    const error = await errorOf(() => openSeries({ path, driver: kept.driver() }));
    expect(error).toMatchObject({ code: "ERR_SERIES_CORRUPT", place: { column: "meta" } });
  });
});

describe("the log", () => {
  const NOW = START + 90_000;
  let path: string;
  let paths = 0;
  let databases: KeptMemory;
  let warnings: SeriesWarning[];
  const opened: Series[] = [];
  beforeEach(() => {
    path = join(root, `log${++paths}`);
    mkdirSync(path);
    databases = new KeptMemory();
    warnings = [];
  });
  afterEach(async () => {
    for (const series of opened.splice(0)) await series.close().catch(() => undefined);
  });

  async function open(options: Partial<SeriesOptions> = {}): Promise<Series> {
    const onWarning = (warning: SeriesWarning) => void warnings.push(warning);
    const series = await openSeries({ path, driver: databases.driver(), now: () => NOW, onWarning, ...options });
    opened.push(series);
    return series;
  }

  const files = () => readdirSync(join(path, "log")).sort();

  /** Simulates a killed process: copies the log files to another folder. */
  function killed(): void {
    const next = join(root, `log${++paths}`);
    mkdirSync(join(next, "log"), { recursive: true });
    for (const name of files()) copyFileSync(join(path, "log", name), join(next, "log", name));
    databases = databases.afterKill(() => join(next, "kv"));
    path = next;
  }

  function damage(name: string, at: number): void {
    const file = join(path, "log", name);
    const bytes = readFileSync(file);
    bytes[at < 0 ? bytes.length + at : at]! ^= 0x10;
    writeFileSync(file, bytes);
  }

  async function written(series: Series, from: number, to: number): Promise<void> {
    for (let i = from; i < to; i++) await series.write([{ metric: metric(0), timestamp: START + i, value: i }]);
  }

  const read = async (series: Series) =>
    (await series.query({ metric: metric(0) }).toArray()).map(({ value }) => value);

  test("damaged at its end: the unfinished record is removed, and reported", async () => {
    await written(await open({ durability: "batch", syncEvery: "1d" }), 0, 5);
    killed();
    damage(files()[0]!, -3);
    const series = await open();
    expect(await read(series)).toEqual([0, 1, 2, 3]);
    expect((await series.stats()).recovery).toMatchObject({ tornBytes: 40, skippedBytes: 0, points: 4 });
    expect(warnings).toEqual([]);
  });

  test("damaged in the middle, before what is on the medium: ERR_SERIES_LOG with file and offset; skipped, the rest is there", async () => {
    // Durability sync: the log says what is on the medium.
    await written(await open({ durability: "sync" }), 0, 8);
    killed();
    const name = files()[0]!;
    const size = readFileSync(join(path, "log", name)).length;
    damage(name, size - 300);
    const error = (await errorOf(() => open())) as SeriesError;
    expect(error).toMatchObject({ code: "ERR_SERIES_LOG", place: { file: join(path, "log", name) } });
    expect(error.place.offset).toBeGreaterThan(size - 400);
    expect(error.place.offset).toBeLessThanOrEqual(size - 300);
    expect(error.message).toContain(name);
    // The failed opening changed nothing, and left nothing locked.
    expect(await errorOf(() => open())).toMatchObject({ code: "ERR_SERIES_LOG" });
    const series = await open({ undecodable: "skip" });
    const values = await read(series);
    expect(values).toHaveLength(7);
    expect(values).toEqual(expect.arrayContaining([0, 7]));
    expect((await series.stats()).recovery.skippedBytes).toBeGreaterThan(0);
    expect(warnings).toMatchObject([{ kind: "corrupt", cause: { code: "ERR_SERIES_LOG" } }]);
  });

  test("a file that is missing: ERR_SERIES_LOG; skipped, the others are there", async () => {
    const series = await open();
    await written(series, 0, 2);
    // Each start of the store begins a file.
    killed();
    await written(await open(), 2, 4);
    killed();
    await written(await open(), 4, 6);
    killed();
    expect(files()).toHaveLength(3);
    unlinkSync(join(path, "log", files()[1]!));
    const error = await errorOf(() => open());
    expect(error).toMatchObject({ code: "ERR_SERIES_LOG", place: { file: expect.stringContaining("0000000002.log") } });
    expect(await read(await open({ undecodable: "skip" }))).toEqual([0, 1, 4, 5]);
  });

  test("damaged in a file before the last: ERR_SERIES_LOG, also at its end", async () => {
    await written(await open(), 0, 3);
    killed();
    await written(await open(), 3, 4);
    killed();
    damage(files()[0]!, -3);
    expect(await errorOf(() => open())).toMatchObject({ code: "ERR_SERIES_LOG" });
    expect(await read(await open({ undecodable: "skip" }))).toEqual([0, 1, 3]);
  });

  test("a definition that is damaged: a skipped metric's id is not given to another one", async () => {
    const series = await open({ durability: "sync" });
    await series.write([{ metric: metric(0), timestamp: START, value: 1 }]);
    await series.write([{ metric: metric(1), timestamp: START, value: 2 }]);
    await series.write([{ metric: metric(1), timestamp: START + 1, value: 3 }]);
    killed();
    const [name] = files();
    const bytes = readFileSync(join(path, "log", name!));
    // The name of the second metric, in its definition.
    damage(name!, bytes.indexOf("m1"));
    expect(await errorOf(() => open())).toMatchObject({ code: "ERR_SERIES_LOG" });
    const again = await open({ undecodable: "skip" });
    await again.write([{ metric: metric(2), timestamp: START + 5, value: 5 }]);
    expect(await again.query({ metric: metric(2) }).toArray()).toEqual([{ timestamp: START + 5, value: 5 }]);
    expect(await again.query({ metric: metric(0) }).toArray()).toEqual([{ timestamp: START, value: 1 }]);
    // Nor later, when the log is gone.
    await again.flush();
    await again.close();
    const last = await open();
    await last.write([{ metric: metric(3), timestamp: START + 6, value: 6 }]);
    expect(await last.query({ metric: metric(3) }).toArray()).toEqual([{ timestamp: START + 6, value: 6 }]);
  });

  test("a store that is open for reading only changes no file of a torn log", async () => {
    await written(await open({ durability: "batch", syncEvery: "1d" }), 0, 5);
    killed();
    damage(files()[0]!, -3);
    const before = files().map((name) => [name, readFileSync(join(path, "log", name)).toString("hex")]);
    const series = await open({ readOnly: true });
    expect(await read(series)).toEqual([0, 1, 2, 3]);
    expect(await errorOf(() => written(series, 9, 10))).toMatchObject({ code: "ERR_SERIES_READ_ONLY" });
    expect(await errorOf(() => series.delete({ metric: metric(0) }))).toMatchObject({ code: "ERR_SERIES_READ_ONLY" });
    expect(await errorOf(() => series.metric(metric(7)))).toMatchObject({ code: "ERR_SERIES_READ_ONLY" });
    expect(await errorOf(() => series.flush())).toMatchObject({ code: "ERR_SERIES_READ_ONLY" });
    await series.close();
    expect(files().map((name) => [name, readFileSync(join(path, "log", name)).toString("hex")])).toEqual(before);
  });
});
