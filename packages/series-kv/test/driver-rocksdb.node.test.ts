/** RocksDB alone: space that is given back, damaged blocks, the sizes of columns, processes that end without closing. */
import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { SHARE } from "@moonpack/tools/share";
import { describe, expect, test } from "vitest";
import type { Operation, Store, StoreOptions } from "../build/drivers/driver.js";
import { columnOfTable } from "../build/drivers/rocksdb/table-file.js";
import { rocksdb } from "../build/index.js";
import { codeOf, countOf, DRIVERS, digits, run, temporaryPaths } from "./driver-harness.ts";

const path = temporaryPaths();
const META = 0;
const MINUTES = 2;
const HOURS = 3;
const options: StoreOptions = {
  columns: [
    { name: "meta", volume: "low" },
    { name: "index", compressible: true },
    { name: "minutes", volume: "high" },
    { name: "hours", volume: "high" },
  ],
  readOnly: false,
  maxCacheBytes: 2 ** 22,
};

/** Bytes of tables and logs in a folder. */
function bytesOf(folder: string): number {
  const files = readdirSync(folder).filter((name) => /\.(sst|log)$/.test(name));
  return files.reduce((sum, name) => sum + (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0), 0);
}

const GROUPS = 400;
/** Neighbouring pages have nothing in common: they do not compress. */
const NOISE = randomBytes(2 ** 24);
function noise(n: number, bytes: number): Buffer {
  const at = (n * 7919 * 4) % (NOISE.length - bytes);
  return NOISE.subarray(at, at + bytes);
}

/** A key with the layout of page keys. */
function pageKey(group: number, minute: number): Buffer {
  const key = Buffer.alloc(8);
  key.writeUInt16BE(2810);
  key.writeUInt32BE(group, 2);
  key.writeUInt16BE(minute, 6);
  return key;
}

async function write(store: Store, operations: Operation[]): Promise<void> {
  for (let i = 0; i < operations.length; i += 500) await store.batch(operations.slice(i, i + 500), { sync: false });
  await store.batch([{ column: META, key: Buffer.from("sealed"), value: randomBytes(4) }], { sync: true });
}

/** Minute by minute a page of each group. */
async function writeHour(store: Store, hour: number): Promise<number> {
  for (let minute = hour * 60; minute < (hour + 1) * 60; minute++) {
    const pages = Array.from({ length: GROUPS }, (_, group): Operation => {
      return { column: MINUTES, key: pageKey(group, minute), value: noise(group * 60 + (minute % 60), 490) };
    });
    await write(store, pages);
  }
  return GROUPS * 60 * 498;
}

/** A page for each group instead of its minutes. */
async function rollUp(store: Store, hour: number): Promise<number> {
  const operations: Operation[] = [];
  for (let group = 0; group < GROUPS; group++) {
    operations.push({ column: HOURS, key: pageKey(group, hour * 60), value: noise(group, 24_500) });
    for (let i = 0; i < 60; i++) operations.push({ column: MINUTES, key: pageKey(group, hour * 60 + i) });
  }
  await write(store, operations);
  return GROUPS * (24_508 - 60 * 498);
}

/** Waits until a folder is at most this large, and returns its size. */
async function whenBelow(folder: string, bytes: number): Promise<number> {
  for (let i = 0; i < 200 && bytesOf(folder) > bytes; i++) await setTimeout(100);
  return bytesOf(folder);
}

describe("space", () => {
  // Tens of megabytes: only where all is tried.
  test.runIf(SHARE === 1)(
    "after roll-ups the deleted minutes go without help; compact() leaves what is there",
    async () => {
      const folder = path("space");
      const store = await rocksdb().open(folder, options);
      let live = 0;
      for (let hour = 0; hour < 4; hour++) {
        live += await writeHour(store, hour);
        if (hour >= 1) live += await rollUp(store, hour - 1);
      }
      // An hour of minutes, and three of hours; memtables keep up to a few megabytes of the log.
      const before = await whenBelow(folder, live * 1.1 + 12e6);
      expect(before).toBeLessThan(live * 1.1 + 12e6);
      for (let column = 0; column < 4; column++) await store.compact!(column);
      expect(bytesOf(folder) / live).toBeLessThan(1.02);
      expect(await countOf(store, MINUTES)).toBe(GROUPS * 60);
      expect(await countOf(store, HOURS)).toBe(GROUPS * 3);

      // Each table belongs to one column.
      const sizes = await Promise.all([0, 1, 2, 3].map((column) => store.size(column)));
      expect(sizes[MINUTES]! / (GROUPS * 60 * 498)).toBeCloseTo(1, 1);
      expect(sizes[HOURS]! / (GROUPS * 3 * 24_508)).toBeCloseTo(1, 1);
      expect(sizes[META]! + sizes[1]!).toBeLessThan(20_000);
      await store.close();

      // Compaction of what was deleted before it was opened.
      const again = await rocksdb().open(folder, options);
      live += await rollUp(again, 3);
      await again.close();
      const third = await rocksdb().open(folder, options);
      for (let column = 0; column < 4; column++) await third.compact!(column);
      expect(bytesOf(folder) / live).toBeLessThan(1.02);
      expect(await countOf(third, MINUTES)).toBe(0);
      await third.close();
    },
  );

  test("the space of a deleted range is free after the next synced batch", async () => {
    const folder = path("range");
    const store = await rocksdb().open(folder, options);
    const live = await writeHour(store, 0);
    await store.compact!(MINUTES);
    expect(bytesOf(folder)).toBeGreaterThan(live * 0.9);
    await store.deleteRange(MINUTES, pageKey(0, 0), pageKey(GROUPS, 0));
    await write(store, []);
    // The remaining log contains full memtables.
    expect(await whenBelow(folder, live / 2 + 9e6)).toBeLessThan(live / 2 + 9e6);
    for (let column = 0; column < 4; column++) await store.compact!(column);
    expect(bytesOf(folder)).toBeLessThan(100_000);
    await store.close();
  });

  test("compact() keeps the value of each key, also of the one that fills memory for it", async () => {
    const store = await rocksdb().open(path("kept"), options);
    const put = (key: number, value?: Uint8Array) =>
      store.batch([{ column: MINUTES, key: digits(key), value }], { sync: false });
    await put(1, digits(100));
    await store.compact!(MINUTES);
    await put(1);
    await store.compact!(MINUTES);
    expect(await countOf(store, MINUTES)).toBe(0);
    await put(2, digits(200));
    await put(1, digits(101));
    const reads = (async () => {
      for (let i = 0; i < 300; i++) {
        const [one, two] = await store.getMany(MINUTES, [digits(1), digits(2)]);
        expect([Buffer.from(one!).toString(), Buffer.from(two!).toString()]).toEqual(["00000101", "00000200"]);
      }
    })();
    await Promise.all([store.compact!(MINUTES), reads]);
    expect(await countOf(store, MINUTES)).toBe(2);
    // A column in which nothing was ever written.
    await store.compact!(1);
    expect(await countOf(store, 1)).toBe(0);
    await store.close();
  });
});

describe("values in memory", () => {
  const key = digits(1);
  const put = (store: Store, column: number, value: Uint8Array) =>
    store.batch([{ column, key, value }], { sync: false });

  test("pages that were read to be kept are there, other columns' values are not", async () => {
    const store = await rocksdb().open(path("cached"), options);
    await put(store, MINUTES, digits(7));
    await put(store, META, digits(8));
    expect(store.cached!(MINUTES, key)).toBeUndefined();
    // Roll-up reads pages that it deletes.
    await store.getMany(MINUTES, [key]);
    expect(store.cached!(MINUTES, key)).toBeUndefined();
    await store.getMany(MINUTES, [key, digits(2)], { keep: true });
    await store.getMany(META, [key], { keep: true });
    expect(store.cached!(MINUTES, key)).toEqual(new Uint8Array(digits(7)));
    expect(store.cached!(MINUTES, digits(2))).toBeUndefined();
    expect(store.cached!(META, key)).toBeUndefined();
    // Another column's write forgets nothing.
    await put(store, META, digits(9));
    expect(store.cached!(MINUTES, key)).toBeDefined();
    await store.close();
    expect(() => store.cached!(MINUTES, key)).toThrow(expect.objectContaining({ code: "ERR_CLOSED" }));
  });

  test("none are kept without a cache", async () => {
    const store = await rocksdb().open(path("uncached"), { ...options, maxCacheBytes: 0 });
    await put(store, MINUTES, digits(7));
    expect(await store.getMany(MINUTES, [key], { keep: true })).toEqual([expect.anything()]);
    expect(store.cached!(MINUTES, key)).toBeUndefined();
    await store.close();
  });

  test("a write that failed leaves none of its keys in memory", async () => {
    const store = await rocksdb().open(path("failed"), options);
    await put(store, MINUTES, digits(7));
    await store.getMany(MINUTES, [key], { keep: true });
    const failed = store.batch(
      [
        { column: MINUTES, key, value: digits(8) },
        { column: 99, key },
      ],
      { sync: false },
    );
    expect(await codeOf(failed)).toBe("ERR_INVALID_ARGUMENT");
    expect(store.cached!(MINUTES, key) ?? digits(7)).toEqual(new Uint8Array(digits(7)));
    expect((await store.getMany(MINUTES, [key]))[0]).toEqual(new Uint8Array(digits(7)));
    await store.close();
  });
});

test("a damaged block is ERR_SERIES_CORRUPT with the requested key; other keys can be read", async () => {
  const folder = path("damaged");
  const store = await rocksdb().open(folder, options);
  const values = Array.from({ length: 1000 }, () => randomBytes(500));
  await store.batch(
    values.map((value, i) => ({ column: MINUTES, key: digits(i), value })),
    { sync: true },
  );
  await store.batch([{ column: META, key: digits(1), value: digits(1) }], { sync: true });
  await store.compact!(MINUTES);
  await store.close();
  for (const name of readdirSync(folder).filter((name) => name.endsWith(".sst"))) {
    const bytes = readFileSync(join(folder, name));
    const at = bytes.indexOf(values[500]!);
    if (at >= 0) bytes[at + 100]! ^= 4;
    writeFileSync(join(folder, name), bytes);
  }
  const damaged = await rocksdb().open(folder, options);
  const calls = [digits(1), digits(500), digits(999)].map((key) => damaged.getMany(MINUTES, [key]));
  const [first, second, third] = await Promise.allSettled(calls);
  expect([first!.status, third!.status]).toEqual(["fulfilled", "fulfilled"]);
  expect(second).toMatchObject({ reason: { code: "ERR_SERIES_CORRUPT", place: { column: "minutes" } } });
  const many = damaged.getMany(
    MINUTES,
    values.map((_, i) => digits(i)),
  );
  const error = await many.catch((e) => e);
  expect(error).toMatchObject({ code: "ERR_SERIES_CORRUPT", place: { column: "minutes" } });
  // All keys of its block are lost.
  expect(Math.abs(Number(Buffer.from(error.place.key).toString()) - 500)).toBeLessThan(9);
  expect(await codeOf(countOf(damaged, MINUTES))).toBe("ERR_SERIES_CORRUPT");
  expect(await countOf(damaged, META)).toBe(1);
  await damaged.batch([{ column: MINUTES, key: digits(500), value: digits(7) }], { sync: true });
  expect((await damaged.getMany(MINUTES, [digits(500)]))[0]).toHaveLength(8);
  await damaged.close();
});

test("the column of an invalid or incomplete table file is unknown", async () => {
  const folder = path("tables");
  const store = await rocksdb().open(folder, options);
  await store.batch([{ column: 1, key: digits(1), value: randomBytes(100) }], { sync: true });
  await store.compact!(1);
  await store.close();
  const table = readdirSync(folder).find((name) => name.endsWith(".sst"))!;
  const bytes = readFileSync(join(folder, table));
  expect(columnOfTable(bytes, bytes.length)).toBe("index");
  for (let length = 0; length < bytes.length; length++)
    expect(columnOfTable(bytes.subarray(0, length), length)).toBeUndefined();
  for (let i = 0; i < bytes.length; i++) {
    const changed = Buffer.from(bytes);
    changed[i]! ^= 0xff;
    const column = columnOfTable(changed, changed.length);
    expect(column === undefined || typeof column === "string").toBe(true);
  }
  expect(columnOfTable(randomBytes(1000), 1000)).toBeUndefined();
});

test("many batches that are not awaited are all written", async () => {
  const store = await rocksdb().open(path("many"), options);
  const value = randomBytes(60_000);
  const writes = Array.from({ length: 500 }, (_, i) =>
    store.batch([{ column: HOURS, key: digits(i), value }], { sync: i === 499 }),
  );
  await Promise.all(writes);
  expect(await countOf(store, HOURS)).toBe(500);
  await store.close();
});

describe("a process that does not close its database", () => {
  const program = (end: string, folder: string) => `
    const { rocksdb } = await import(${JSON.stringify(DRIVERS)});
    const options = { columns: ["one"], readOnly: false, maxCacheBytes: 2 ** 20 };
    const store = await rocksdb().open(${JSON.stringify(folder)}, options);
    const put = (i, sync) => store.batch([{ column: 0, key: Buffer.from(String(i)), value: Buffer.alloc(30_000) }], { sync });
    for (let i = 0; i < 100; i++) put(i, false);
    await put(100, true);
    for (let i = 200; i < 300; i++) put(i, i % 10 === 0).catch(() => {});
    const range = store.range(0, Buffer.from("0"), Buffer.from("9"))[Symbol.asyncIterator]();
    await range.next();
    ${end}`;

  test.each([
    ["ends when its work is done", "", 0],
    ["may exit at once", "process.exit(3);", 3],
    ["may exit while the threads work", "setTimeout(() => process.exit(3), 5);", 3],
    ["may fail", "setTimeout(() => { throw new Error('failure'); }, 5);", 1],
  ])("%s; what it wrote is there", async (_, end, expected) => {
    const folder = path("unclosed");
    const { code, output } = await run(process.execPath, ["--input-type=module", "-e", program(end, folder)]);
    expect(code, output).toBe(expected);
    expect(output).not.toMatch(/Assertion|Segmentation|FATAL/);
    const store = await rocksdb().open(folder, { ...options, columns: ["one"] });
    expect(await countOf(store, 0)).toBeGreaterThanOrEqual(101);
    await store.close();
  });
});

test("on a platform without a binary the error names classicLevel()", async () => {
  const program = `
    const { rocksdb } = await import(${JSON.stringify(DRIVERS)});
    const open = rocksdb().open(${JSON.stringify(path("none"))}, { columns: ["one"], readOnly: false, maxCacheBytes: 1 });
    console.log(await open.catch((error) => [error.code, error.message].join(" ")));`;
  // The loader of binaries takes the architecture from here.
  const { output } = await run(process.execPath, ["--input-type=module", "-e", program], { npm_config_arch: "none" });
  expect(output).toMatch(
    /^ERR_SERIES_STORE @nxtedition\/rocksdb has no binary for .*: use the driver classicLevel\(\)/,
  );
});
