/** Backups of a store of files into the folder of an earlier one: what is copied, what a crash leaves, what is refused. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openSeries } from "../build/index.js";
import { openWith } from "../build/open.js";
import { readOptions } from "../build/options.js";
import type { Series, SeriesOptions } from "../src/api.ts";
import type { StoreFileSystem } from "../src/file-system/store-file-system.ts";
import { ForgetfulFileSystem } from "./harness/forgetful-file-system.ts";
import { WatchedFileSystem } from "./harness/watched-file-system.ts";
import { randomFrom } from "./reference/vectors/random.ts";

const root = mkdtempSync(join(tmpdir(), "moonpack-files-backup-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let folders = 0;
/** A folder that exists: a backup marks it as unfinished in the file system of the machine. */
function newFolder(): string {
  const path = join(root, `f${++folders}`);
  mkdirSync(path);
  return path;
}

const MINUTE = 60_000;
const NOW = 28_333_333 * MINUTE;
const metric = { name: "m" };

const openIn = (path: string, files: StoreFileSystem, options: Partial<SeriesOptions> = {}) =>
  openWith(readOptions({ path, durability: "sync", now: () => NOW, ...options }), files);

async function contentOf(series: Series): Promise<string> {
  const content: string[] = [];
  for await (const { metric: handle, points } of series.select({}))
    for (const { timestamp, value } of await points.toArray())
      content.push(`${handle.name} ${timestamp - NOW} ${value}`);
  return content.join("\n");
}

async function contentIn(path: string, files: StoreFileSystem): Promise<string> {
  const series = await openIn(path, files, { readOnly: true });
  try {
    expect(await series.check()).toEqual([]);
    return await contentOf(series);
  } finally {
    await series.close();
  }
}

const write = (series: Series, minute: number, values: readonly number[], name = "m") =>
  series.write(values.map((value, i) => ({ metric: { name }, timestamp: NOW - minute * MINUTE + i, value })));

/** Writes sealed and unsealed points, then a delete. */
async function first(series: Series): Promise<void> {
  await write(series, 9, [1, 2, 3]);
  await write(series, 9, [5], "gone");
  await series.flush();
  await write(series, 5, [4]);
  await series.delete({ metric, from: NOW - 9 * MINUTE + 1, to: NOW - 9 * MINUTE + 2 });
}

/** Further changes of all kinds: late points, new and forgotten metrics, merged blocks. */
async function second(series: Series): Promise<void> {
  await write(series, 8, [6]);
  await series.flush();
  await write(series, 9, [7], "late");
  await series.delete({ metric: { name: "gone" } });
  await series.flush();
  await series.compact();
  await write(series, 4, [8, 9], "new");
  await series.delete({ metric, from: NOW - 5 * MINUTE, to: NOW - 5 * MINUTE + 1 });
}

test("a crash at any step leaves the earlier backup or the new one", async () => {
  const [path, to] = [newFolder(), newFolder()];
  const files = new ForgetfulFileSystem();
  const store = await openIn(path, files);
  await first(store);
  await store.backup(to);
  const before = await contentIn(to, files);
  await second(store);
  const after = await contentOf(store);
  await store.close();
  expect(before).not.toBe(after);

  const random = randomFrom(7);
  const found = { before: 0, after: 0 };
  let steps = 0;
  for (let isDone = false; !isDone; steps++) {
    const here = files.afterKill();
    const watched = new WatchedFileSystem(here);
    const series = await openIn(path, watched.system);
    watched.left = steps;
    isDone = await series.backup(to).then(
      () => true,
      () => false,
    );
    watched.left = 0;
    await series.close().catch(() => undefined);
    const states = [here.afterKill(), here.afterPowerLoss(), here.afterPowerLoss(() => random(1000) / 1000)];
    for (const state of states) {
      const content = await contentIn(to, state);
      if (content === after) found.after++;
      else if (content === before) found.before++;
      else throw new Error(`after step ${steps} the backup has neither state:\n${content}`);
      if (isDone) expect(content).toBe(after);
      const again = await openIn(path, state);
      await again.backup(to);
      expect(await contentIn(to, state)).toBe(after);
      await again.close();
      // It can be opened as a store.
      const copy = await openIn(to, state);
      expect(await contentOf(copy)).toBe(after);
      await copy.close();
    }
  }
  expect(steps).toBeGreaterThan(15);
  expect(found.before).toBeGreaterThan(steps);
  expect(found.after).toBeGreaterThan(3);
});

test("only new files are linked, and only the files of the last moment stay", async () => {
  const [path, to] = [newFolder(), newFolder()];
  const watched = new WatchedFileSystem(new ForgetfulFileSystem());
  const series = await openIn(path, watched.system);
  await series.writeColumn(
    await series.metric(metric),
    Float64Array.from({ length: 100_000 }, (_, i) => NOW - MINUTE * 60 + 30 * i),
    Float64Array.from({ length: 100_000 }, (_, i) => Math.sqrt(i)),
  );
  await series.flush();
  await series.backup(to);
  const [block] = watched.linked.filter((name) => name.startsWith("blocks/"));
  expect(watched.linked).toHaveLength(2);
  expect(await watched.system.size(join(to, block!))).toBeGreaterThan(300_000);
  watched.linked.length = 0;
  watched.written = 0;
  await write(series, 1, [1]);
  const written = watched.written;
  await series.backup(to);
  // The log has one point, and the manifest one block.
  expect(watched.linked).toEqual([]);
  expect(watched.written - written).toBeLessThan(2000);
  await write(series, 0, [1], "new");
  await series.flush();
  await series.backup(to);
  expect(watched.linked.map(dirname).sort()).toEqual(["blocks", "names"]);
  expect(await watched.system.list(join(to, "blocks"))).toHaveLength(2);
  await series.compact();
  await series.backup(to);
  expect(await watched.system.list(join(to, "blocks"))).toHaveLength(1);
  expect(await watched.system.list(join(to, "manifest"))).toEqual(["0000000004"]);
  expect([...(await watched.system.list(join(to, "log"))), ...(await watched.system.list(join(to, "log2")))]).toEqual(
    [],
  );
  await series.close();
});

test.each(["batch", "none"] as const)("durability %s: each backup has the points of its moment", async (durability) => {
  const [path, to] = [newFolder(), newFolder()];
  const series = await openSeries({ path, durability, now: () => NOW });
  for (let i = 0; i < 4; i++) {
    await write(series, 20 - i, [i, i + 1], `m${i % 2}`);
    if (i === 2) await series.flush();
    await series.backup(to);
    const copy = await openSeries({ path: to, readOnly: true, now: () => NOW });
    expect(await contentOf(copy)).toBe(await contentOf(series));
    // A store that is open for reading, here of the backup, can be backed up again and again, too.
    await copy.backup(`${to}-copy`);
    const second = await openSeries({ path: `${to}-copy`, readOnly: true, now: () => NOW });
    expect(await contentOf(second)).toBe(await contentOf(series));
    await second.close();
    await copy.close();
  }
  const [block] = readdirSync(join(to, "blocks"));
  expect(statSync(join(to, "blocks", block!)).ino).toBe(statSync(join(path, "blocks", block!)).ino);
  await series.close();
});

test("a reader of the backup sees the new moment", async () => {
  const [path, to] = [newFolder(), newFolder()];
  const series = await openSeries({ path, now: () => NOW });
  await first(series);
  await series.backup(to);
  const reader = await openSeries({ path: to, readOnly: true, now: () => NOW });
  const before = await contentOf(reader);
  await second(series);
  await series.backup(to);
  await expect.poll(() => contentOf(reader)).toBe(await contentOf(series));
  expect(before).not.toBe(await contentOf(series));
  await reader.close();
  await series.close();
});

test.each([
  ["another store", "is a backup of another store"],
  ["a store", "is a store"],
  ["its own folder", "is a store"],
  ["a backup that was opened for writing", "was opened for writing"],
  ["the store that a backup was restored to", "is a backup of another store"],
  ["a store that was copied before the last backup", "is a backup of a later time"],
])("%s: ERR_SERIES_STORE, and nothing changes", async (what, message) => {
  const [path, to] = [newFolder(), newFolder()];
  let series = await openSeries({ path, now: () => NOW });
  await first(series);
  await series.backup(to);
  const copied = newFolder();
  if (what === "another store") {
    await series.close();
    series = await openSeries({ path: newFolder(), now: () => NOW });
    await first(series);
  } else if (what === "the store that a backup was restored to") {
    await series.close();
    cpSync(to, copied, { recursive: true });
    series = await openSeries({ path: copied, now: () => NOW });
  } else if (what === "a store that was copied before the last backup") {
    await series.close();
    cpSync(path, copied, { recursive: true });
    series = await openSeries({ path, now: () => NOW });
    await second(series);
    await series.backup(to);
    await series.close();
    series = await openSeries({ path: copied, now: () => NOW });
  } else if (what === "a backup that was opened for writing") {
    await (await openSeries({ path: to, now: () => NOW })).close();
  }
  const other = newFolder();
  if (what === "a store") await (await openSeries({ path: other, now: () => NOW })).close();
  const target = what === "a store" ? other : what === "its own folder" ? path : to;
  const namesOf = () => readdirSync(target, { recursive: true }).map(String).sort();
  const names = namesOf();
  await expect(series.backup(target)).rejects.toMatchObject({
    code: what === "its own folder" ? expect.stringMatching(/ERR_SERIES_(STORE|LOCKED)/) : "ERR_SERIES_STORE",
    ...(what !== "its own folder" && { message: expect.stringContaining(message) }),
  });
  expect(namesOf().map((name) => basename(name))).toEqual(names.map((name) => basename(name)));
  await series.close();
});

test("a folder that another process has open for writing: ERR_SERIES_LOCKED", async () => {
  const [path, to] = [newFolder(), newFolder()];
  const series = await openSeries({ path, now: () => NOW });
  await series.backup(to);
  const other = await openSeries({ path: to, now: () => NOW });
  await expect(series.backup(to)).rejects.toMatchObject({ code: "ERR_SERIES_LOCKED" });
  await other.close();
  await series.close();
});
