/** Errors of opening and of the disk: a store that another process has, that is newer, a folder that is read-only, a disk that is full. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { SeriesWarning } from "@moonpack/series";
import { openSeries } from "@moonpack/series";
import { randomFrom } from "@moonpack/series/test/reference/vectors/random.ts";
import { classicLevel, rocksdb } from "@moonpack/series-kv";
import { SHARE } from "@moonpack/tools/share";
import { afterAll, describe, expect, test } from "vitest";
import { META } from "../src/store/columns.ts";

const root = mkdtempSync(join(tmpdir(), "moonpack-disk-"));
const mounts: string[] = [];
afterAll(() => {
  for (const folder of mounts) execFileSync("umount", [folder]);
  rmSync(root, { recursive: true });
});

const metric = { name: "m" };
const drivers = [rocksdb, classicLevel] as const;
/** The part of a store that is on a small disk. */
const PARTS = SHARE < 1 ? ["all"] : ["all", "log", "kv"];
let folders = 0;

function newFolder(): string {
  const folder = join(root, `folder${++folders}`);
  mkdirSync(folder);
  return folder;
}

/** Mounts a separate file system on a folder. Not every machine allows it. */
function mount(folder: string, size: string): void {
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "none", folder], { stdio: "ignore" });
  mounts.push(folder);
}

const canMount = (() => {
  try {
    mount(newFolder(), "64k");
    return true;
  } catch {
    return false;
  }
})();

async function errorOf(act: () => Promise<unknown>): Promise<{ code?: string; message: string }> {
  try {
    await act();
  } catch (error) {
    return error as Error;
  }
  return { message: "no error" };
}

describe.each(drivers)("%o", (make) => {
  test("a store that another process has open: ERR_SERIES_LOCKED with its pid, until it ends", async () => {
    const path = newFolder();
    const program = fileURLToPath(new URL("./programs/holder.mjs", import.meta.url));
    const holder = spawn(process.execPath, [program, path, make.name], { stdio: ["ignore", "pipe", "inherit"] });
    try {
      await once(holder.stdout, "data");
      const owner = readFileSync(join(path, "owner.json"), "utf8");
      for (const readOnly of [false, true]) {
        const error = await errorOf(() => openSeries({ path, driver: make(), readOnly }));
        expect(error).toMatchObject({ code: "ERR_SERIES_LOCKED" });
        expect(error.message).toContain(`process ${holder.pid} on ${hostname()}`);
      }
      expect(readFileSync(join(path, "owner.json"), "utf8")).toBe(owner);
    } finally {
      holder.kill("SIGKILL");
      await once(holder, "close");
    }
    const series = await openSeries({ path, driver: make() });
    expect(await series.query({ metric }).toArray()).toHaveLength(1);
    // The same process counts as another one.
    const error = await errorOf(() => openSeries({ path, driver: make() }));
    expect(error).toMatchObject({ code: "ERR_SERIES_LOCKED" });
    expect(error.message).toContain(`process ${process.pid}`);
    await series.close();
  });

  test.each([0, 2])("a store of format %i: ERR_SERIES_VERSION, and nothing is touched", async (format) => {
    const path = newFolder();
    const series = await openSeries({ path, driver: make() });
    await series.write([{ metric, timestamp: Date.now(), value: 1 }]);
    await series.close();
    const setFormat = async (version: number) => {
      const options = { columns: ["meta", "metrics", "index", "minutes", "hours"], readOnly: false, maxCacheBytes: 0 };
      const store = await make().open(join(path, "kv"), options);
      const value = Uint8Array.of(0, 0, 0, version);
      await store.batch([{ column: META, key: Buffer.from("format"), value }], { sync: true });
      await store.close();
    };
    await setFormat(format);
    unlinkSync(join(path, "owner.json"));
    const logs = () =>
      readdirSync(join(path, "log")).map((name) => [name, readFileSync(join(path, "log", name), "hex")]);
    const before = logs();
    for (const options of [{}, { readOnly: true }, ...(format > 1 ? [{ migrate: true }] : [])])
      expect(await errorOf(() => openSeries({ path, driver: make(), ...options }))).toMatchObject({
        code: "ERR_SERIES_VERSION",
        message: expect.stringContaining(String(format)),
      });
    expect(logs()).toEqual(before);
    expect(existsSync(join(path, "owner.json"))).toBe(false);
    await setFormat(1);
    const again = await openSeries({ path, driver: make() });
    expect(await again.query({ metric }).toArray()).toHaveLength(1);
    await again.close();
  });

  test("a store that does not exist is not made by readOnly", async () => {
    const path = join(newFolder(), "none");
    const error = await errorOf(() => openSeries({ path, driver: make(), readOnly: true }));
    expect(error.code).toMatch(/^ERR_(SERIES_STORE|INVALID_ARGUMENT)$/);
    expect(existsSync(path)).toBe(false);
  });

  test("the folder of a store of files: ERR_SERIES_VERSION, and it stays as it was", async () => {
    const path = newFolder();
    await openSeries({ path }).then((series) => series.close());
    const before = readdirSync(path).sort();
    expect(await errorOf(() => openSeries({ path, driver: make() }))).toMatchObject({ code: "ERR_SERIES_VERSION" });
    expect(readdirSync(path).sort()).toEqual(before);
  });

  test("a path that is a file: ERR_INVALID_ARGUMENT", async () => {
    const path = join(newFolder(), "file");
    writeFileSync(path, "");
    expect(await errorOf(() => openSeries({ path, driver: make() }))).toMatchObject({ code: "ERR_INVALID_ARGUMENT" });
  });

  test("a folder in which nothing can be written: ERR_SERIES_READ_ONLY", async () => {
    // Root may write whatever the modes of a folder say, but not into file systems that are read-only.
    let path = newFolder();
    if (process.getuid?.() !== 0) chmodSync(path, 0o555);
    else if (canMount) {
      mount(path, "4m");
      execFileSync("mount", ["-o", "remount,ro", path]);
    } else path = "/sys/moonpack";
    expect(await errorOf(() => openSeries({ path, driver: make() }))).toMatchObject({ code: "ERR_SERIES_READ_ONLY" });
  });

  if (canMount)
    test("a backup to a full disk: ERR_SERIES_FULL, and its folder is empty again", async () => {
      const series = await openSeries({ path: newFolder(), driver: make() });
      const random = randomFrom(3);
      const now = Date.now();
      for (let i = 0; i < 4; i++) {
        const times = Float64Array.from({ length: 50_000 }, (_, k) => now - 300_000 + k);
        await series.writeColumn(
          { name: `m${i}` },
          times,
          times.map(() => random(2 ** 30) / 3),
        );
        // Points in pages, and in memory.
        if (i === 1) await series.flush();
      }
      for (const size of ["64k", "1m", "2m"]) {
        const to = newFolder();
        mount(to, size);
        expect(await errorOf(() => series.backup(to))).toMatchObject({ code: "ERR_SERIES_FULL" });
        expect(readdirSync(to)).toEqual([]);
      }
      const to = join(newFolder(), "copy");
      await series.backup(to);
      await series.close();
      const copy = await openSeries({ path: to, driver: make(), readOnly: true });
      for (let i = 0; i < 4; i++)
        expect(await copy.query({ metric: { name: `m${i}` } }).toArray()).toHaveLength(50_000);
      await copy.close();
    });

  if (canMount)
    test.each(
      PARTS,
    )("a full disk (%s): writes fail with ERR_SERIES_FULL, reads continue, no data is lost, and writes succeed when there is space", async (part) => {
      const path = newFolder();
      const small = part === "all" ? path : newFolder();
      mount(small, "16m");
      if (part !== "all") symlinkSync(small, join(path, part));
      let now = 1_700_000_000_000;
      const random = randomFrom(1);
      const warnings: SeriesWarning[] = [];
      const options = {
        path,
        driver: make(),
        durability: "sync",
        now: () => now,
        onWarning: (warning: SeriesWarning) => void warnings.push(warning),
      } as const;
      const series = await openSeries(options);
      const written: number[] = [];
      const write = async () => {
        // Rounds are always due.
        now += 20_000;
        // RocksDB sets space aside that must be filled first.
        const times = Float64Array.from({ length: 4000 }, (_, i) => now - 4000 + i);
        const values = times.map(() => random(2 ** 30) / 3);
        await series.writeColumn(metric, times, values);
        written.push(...times);
      };
      const read = async (store = series) => {
        const points = await store.query({ metric }).toArray();
        return new Set(points.map(({ timestamp }) => timestamp));
      };
      for (let i = 0; i < 5; i++) await write();
      const filler = join(small, "filler");
      fill(filler);
      let error: { code?: string } = {};
      for (let i = 0; i < 20_000 && error.code === undefined; i++) {
        error = await errorOf(write);
        // Rounds and retries, which run beside the writes.
        if (i % 10 === 9) fill(filler);
        await new Promise(setImmediate);
      }
      expect(error).toMatchObject({ code: "ERR_SERIES_FULL" });
      const acknowledged = [...written];
      // Reads continue, also after more failed writes.
      for (let i = 0; i < 3; i++) expect(await errorOf(write)).toMatchObject({ code: "ERR_SERIES_FULL" });
      const during = await read();
      expect(acknowledged.filter((time) => !during.has(time))).toEqual([]);
      expect(warnings.map(({ kind }) => kind)).toContain("retry");

      unlinkSync(filler);
      // RocksDB looks for space every five seconds: after about 100 writes.
      let refused = 0;
      for (; refused < 300 && (await errorOf(write)).code !== undefined; refused++)
        await new Promise((resolve) => setTimeout(resolve, 50));
      expect(refused).toBeLessThan(300);
      for (let i = 0; i < 5; i++) await write();
      await series.flush();
      const after = await read();
      expect(written.filter((time) => !after.has(time))).toEqual([]);
      await series.close();
      const again = await openSeries(options);
      const last = await read(again);
      expect(written.filter((time) => !last.has(time))).toEqual([]);

      // Full again, then closed, or opened: the store is not locked afterwards.
      for (let i = 0; i < 5; i++) await again.write([{ metric, timestamp: now - 100_000 + i, value: i }]);
      fill(filler);
      // RocksDB may say no more than that it has seen an error before.
      await again.close().catch(({ code }) => expect(code).toMatch(/^ERR_SERIES_(FULL|STORE)$/));
      const opened = await openSeries(options).catch((e) => e);
      if (opened instanceof Error) expect(opened).toMatchObject({ code: "ERR_SERIES_FULL" });
      else await opened.close().catch(() => undefined);
      unlinkSync(filler);
      const end = await openSeries(options);
      expect(await end.query({ metric, from: now - 100_000, to: now - 99_995 }).toArray()).toHaveLength(5);
      await end.close();
    });
});

/** Fills what is left of a file system. */
function fill(file: string): void {
  for (const size of [2 ** 20, 4096])
    try {
      for (;;) writeFileSync(file, Buffer.alloc(size), { flag: "a" });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
    }
}
