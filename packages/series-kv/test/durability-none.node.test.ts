/** Durability `none` in a store that has the log of an earlier run: what was acknowledged then, and deleted since, holds after a kill. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Series, SeriesOptions } from "@moonpack/series";
import { ForgetfulFileSystem } from "@moonpack/series/test/harness/forgetful-file-system.ts";
import type { Backend } from "@moonpack/series/test/harness/model/backends.ts";
import { randomFrom } from "@moonpack/series/test/reference/vectors/random.ts";
import { share } from "@moonpack/tools/share";
import { afterAll, expect, test } from "vitest";
import { SeriesError } from "../../series/build/index.js";
import { openWith } from "../../series/build/open.js";
import { readOptions } from "../../series/build/options.js";
import { classicLevel, rocksdb } from "../build/index.js";
import { MINUTES } from "../src/store/columns.ts";
import { FolderBackend, KeptBackend } from "./harness/backends.ts";
import { KeptMemory } from "./harness/kept-memory.ts";
import { TestDriver } from "./harness/test-driver.ts";

const NOW = 1_700_000_000_000;
const folder = mkdtempSync(join(tmpdir(), "moonpack-leaving-"));
afterAll(() => rmSync(folder, { recursive: true }));

const metric = (i: number) => ({ name: `m${i}` });

function open(place: Backend, durability: "sync" | "batch" | "none"): Promise<Series> {
  const options: SeriesOptions = { durability, now: () => NOW, syncEvery: "1d" };
  return place.open(options, () => 0);
}

async function contentOf(series: Series): Promise<Record<string, [number, number | bigint][]>> {
  const content: Record<string, [number, number | bigint][]> = {};
  for await (const { metric: handle, points } of series.select({}))
    content[handle.name] = (await points.toArray()).map(({ timestamp, value }) => [NOW - timestamp, value]);
  return content;
}

const backends: [string, () => Backend][] = [
  ["memory that outlives stores", () => new KeptBackend(folder)],
  ["RocksDB", () => new FolderBackend(join(folder, "rocksdb"), rocksdb)],
  ["LevelDB", () => new FolderBackend(join(folder, "classic"), classicLevel)],
];

test.each(
  backends,
)("%s: deletes, forgotten metrics and later points are not undone by the log that is left", async (_, make) => {
  let place = make();
  let series = await open(place, "batch");
  for (const i of [0, 1, 2, 3])
    await series.write([
      { metric: metric(i), timestamp: NOW - 2000, value: 1 },
      // Ahead of the clock, and long ago.
      { metric: metric(i), timestamp: NOW + 600_000, value: 2 },
      { metric: metric(i), timestamp: NOW - 90_000_000, value: 3 },
    ]);
  await series.delete({ metric: metric(3), from: NOW, to: NOW + 3_600_000 });
  place = await place.kill();

  series = await open(place, "none");
  await series.delete({ metric: metric(0), from: NOW - 3000, to: NOW });
  await series.delete({ metric: metric(1) });
  place = await place.kill();

  // Without a log only what is sealed is there after the next kill.
  series = await open(place, "none");
  await series.write([{ metric: metric(2), timestamp: NOW - 2000, value: 9 }]);
  await series.flush();
  expect((await series.stats()).logBytes).toBe(0);
  place = await place.kill();

  const expected = {
    m0: [
      [90_000_000, 3],
      [-600_000, 2],
    ],
    m2: [
      [90_000_000, 3],
      [2000, 9],
      [-600_000, 2],
    ],
    m3: [
      [90_000_000, 3],
      [2000, 1],
    ],
  };
  for (const durability of ["none", "batch"] as const) {
    series = await open(place, durability);
    expect(await contentOf(series)).toEqual(expected);
    expect((await series.stats()).recovery.points).toBe(0);
    place = await place.kill();
  }
});

test("any order of runs, killed at any time: what was acknowledged with a log, or sealed without one, stays", async () => {
  for (let seed = 0; seed < share(60); seed++) {
    const random = randomFrom(seed);
    const some = <T>(list: readonly T[]): T => list[random(list.length)]!;
    let place: Backend = new KeptBackend(folder);
    const model = new Map<string, Map<number, number>>();
    for (let run = 0; run < 6; run++) {
      const durability = some(["sync", "batch", "none"] as const);
      const series = await open(place, durability);
      const found = await contentOf(series);
      const expected = [...model].filter(([, points]) => points.size > 0);
      for (const [name, points] of expected)
        expect(found[name], `seed ${seed}, run ${run}`).toEqual([...points].sort(([a], [b]) => b - a));
      for (const [name, points] of Object.entries(found))
        if ((model.get(name)?.size ?? 0) === 0) expect(points, `seed ${seed}, run ${run}`).toEqual([]);
      for (let call = random(8); call > 0; call--) {
        const name = `m${random(3)}`;
        const points = model.get(name) ?? model.set(name, new Map()).get(name)!;
        const age = some([-600, -30, 10, 40, 70, 4000, 90_000]) * 1000 + random(20);
        const kind = random(6);
        if (kind < 3) {
          const value = random(1000);
          await series.write([{ metric: { name }, timestamp: NOW - age, value }]);
          points.set(age, value);
          // Without a log it must be sealed.
          if (durability === "none") await series.flush();
        } else if (kind === 3) {
          await series.delete({ metric: { name }, from: NOW - age, to: NOW - age + 60_000 });
          for (const one of points.keys()) if (one <= age && one > age - 60_000) points.delete(one);
        } else if (kind === 4) {
          await series.delete({ metric: { name } });
          points.clear();
        } else await series.flush();
      }
      if (random(3) === 0) await series.close();
      else place = await place.kill();
      // Killed while it is opened.
      for (let n = random(3); n > 0; n--) {
        const opening = open(place, some(["batch", "none"] as const));
        for (let turns = random(40); turns > 0; turns--) await nextTurn();
        place = await place.kill();
        await opening;
      }
    }
  }
});

test("a log that cannot be left, for lack of space, stays, and the store is not opened", async () => {
  const files = new ForgetfulFileSystem();
  const databases = new KeptMemory();
  const driver = new TestDriver(databases.driver());
  const openStore = (durability: "batch" | "none") =>
    openWith(readOptions({ path: folder, driver, durability, now: () => NOW }), files);
  const first = await openStore("batch");
  await first.write([{ metric: metric(0), timestamp: NOW - 2000, value: 1 }]);
  driver.before = ({ operations }) => {
    if (operations?.some(({ column }) => column === MINUTES))
      throw new SeriesError("ERR_SERIES_FULL", "no space is left for the store");
  };
  await expect(first.close()).rejects.toMatchObject({ code: "ERR_SERIES_FULL" });
  for (let i = 0; i < 2; i++) await expect(openStore("none")).rejects.toMatchObject({ code: "ERR_SERIES_FULL" });
  driver.before = () => undefined;
  const series = await openStore("none");
  expect(await contentOf(series)).toEqual({ m0: [[2000, 1]] });
  expect(await files.list(join(folder, "log"))).toEqual([]);
  await series.close();
});
