/** A store of files on a disk that is full, at every write in turn; and one whose manifests are lost. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { files } from "../build/index.js";
import { openWith } from "../build/open.js";
import { readOptions } from "../build/options.js";
import { repairWith } from "../build/repair/repair.js";
import type { Series } from "../src/api.ts";
import type { StoreFileSystem } from "../src/file-system/store-file-system.ts";
import type { LogFile } from "../src/log/file-system.ts";
import { ForgetfulFileSystem } from "./harness/forgetful-file-system.ts";

const root = mkdtempSync(join(tmpdir(), "moonpack-files-full-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const NOW = 1_700_000_000_000;
const METRICS = ["a", "b", "c"].map((name) => ({ name }));

/** A file system of which one write fails: a part of its bytes is written. */
class FullDisk {
  /** Writes until the one that fails. */
  left = Number.POSITIVE_INFINITY;
  readonly system: StoreFileSystem;

  constructor(inner: ForgetfulFileSystem) {
    const limited = (file: LogFile): LogFile => ({
      write: async (bytes, position) => {
        if (this.left-- > 0) return await file.write(bytes, position);
        await file.write(bytes.subarray(0, bytes.length >> 1), position);
        throw full();
      },
      truncate: (length) => file.truncate(length),
      datasync: () => file.datasync(),
      close: () => file.close(),
    });
    this.system = {
      open: async (path) => limited(await inner.open(path)),
      create: async (path) => {
        if (this.left-- <= 0) throw full();
        return limited(await inner.create(path));
      },
      openForReading: (path) => inner.openForReading(path),
      read: (path) => inner.read(path),
      list: (folder) => inner.list(folder),
      size: (path) => inner.size(path),
      rename: (from, to) => inner.rename(from, to),
      link: (from, to) => inner.link(from, to),
      unlink: (path) => inner.unlink(path),
      makeFolder: (folder) => inner.makeFolder(folder),
      syncFolder: (folder) => inner.syncFolder(folder),
      freeBytes: () => inner.freeBytes(),
      lock: () => inner.lock(),
    };
  }
}

function full(): Error {
  return Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
}

async function open(path: string, system: StoreFileSystem, readOnly = false): Promise<Series> {
  return await openWith(readOptions({ path, driver: files(), now: () => NOW, readOnly }), system);
}

async function all(series: Series): Promise<unknown[]> {
  return await Promise.all(METRICS.map((metric) => series.query({ metric }).toArray()));
}

async function write(series: Series, from: number, to: number): Promise<void> {
  for (const metric of METRICS)
    await series.write(
      Array.from({ length: to - from }, (_, i) => ({ metric, timestamp: NOW - 60_000 + from + i, value: i })),
    );
}

async function eventually(act: () => Promise<void>): Promise<void> {
  for (let left = 50; ; left--) {
    try {
      return await act();
    } catch (error) {
      if (left === 0) throw error;
      await sleep(100);
    }
  }
}

test("the disk is full at each write of sealing and compaction: nothing is lost, and it continues when there is room", async () => {
  let failures = 0;
  for (let k = 0; k < 30; k++) {
    const path = join(root, `full${k}`);
    const memory = new ForgetfulFileSystem();
    const disk = new FullDisk(memory);
    const series = await open(path, disk.system);
    await write(series, 0, 100);
    await series.flush();
    await write(series, 50, 150);
    const expected = await all(series);
    disk.left = k;
    const failed = await series
      .flush()
      .then(() => series.compact())
      .then(
        () => undefined,
        (error: unknown) => error,
      );
    if (failed !== undefined) {
      failures++;
      expect(failed).toMatchObject({ code: "ERR_SERIES_FULL" });
    }
    expect(await all(series)).toEqual(expected);
    // A next process finds this if this one is killed now.
    const after = await open(path, memory.afterKill());
    expect(await all(after)).toEqual(expected);
    expect(await after.check()).toEqual([]);
    await after.close();
    disk.left = Number.POSITIVE_INFINITY;
    // The log is tried again every second.
    await eventually(() => write(series, 150, 160));
    await series.flush();
    await series.compact();
    expect(await series.check()).toEqual([]);
    expect(((await all(series)) as unknown[][]).map((points) => points.length)).toEqual([160, 160, 160]);
    await series.close();
    if (failed === undefined) break;
  }
  expect(failures).toBeGreaterThan(8);
});

test("repair builds the manifest from the ends of the files", async () => {
  const path = join(root, "repair");
  const memory = new ForgetfulFileSystem();
  let series = await open(path, memory);
  await write(series, 0, 100);
  await series.flush();
  await write(series, 50, 150);
  await series.flush();
  await write(series, 150, 155);
  const expected = await all(series);
  await series.close();
  for (const name of await memory.list(join(path, "manifest"))) await memory.unlink(join(path, "manifest", name));
  await expect(open(path, memory)).rejects.toMatchObject({ code: "ERR_SERIES_CORRUPT" });
  expect(await repairWith(path, memory)).toMatchObject({ metrics: 3, damaged: [] });
  series = await open(path, memory);
  expect(await all(series)).toEqual(expected);
  expect(await series.tagValues("none")).toEqual([]);
  await series.write([{ metric: { name: "new" }, timestamp: NOW, value: 1 }]);
  expect((await series.stats()).metrics).toBe(4);
  await series.close();
});
