/**
 * A process that writes to a store is killed by SIGKILL, at random moments and at chosen ones of sealing, roll-up, deletes, backups and
 * log shortening; then the store is opened. Everything acknowledged must be there, and nothing that was not written.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSeries } from "@moonpack/series";
import { ExpectedPoints } from "@moonpack/series/test/harness/kill/expected-points.ts";
import { type Aim, LONGEST_TO_MOMENT_MS, WriterProcess } from "@moonpack/series/test/harness/kill/process.ts";
import { clockAt } from "@moonpack/series/test/programs/operations.mjs";
import { type Random, randomFrom } from "@moonpack/series/test/reference/vectors/random.ts";
import { classicLevel, rocksdb } from "@moonpack/series-kv";
import { SHARE } from "@moonpack/tools/share";
import { afterAll, expect, test } from "vitest";

/** The system keeps what a killed process has written: memory does as well as a disk, and takes less time. */
const OPENER = new URL("./programs/open-database.mjs", import.meta.url).href;
const root = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "moonpack-kill-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const WHOLE = process.env.CI === "true" ? 50 : 100;
const AIMS = ["none", "seal", "shorten", "none", "rollup", "delete", "none", "backup", "metrics", "none"];
/** A store is killed so often, then the next one is new. */
const KILLS_OF_A_STORE = 8;

function aimOf(random: Random, i: number): Aim {
  return {
    kind: AIMS[i % AIMS.length]!,
    after: random(4),
    when: (["before", "during", "during", "after"] as const)[random(4)]!,
    microseconds: random(800),
    milliseconds: random(12),
  };
}

async function killOften(
  driver: "rocksdb" | "classicLevel",
  durability: "sync" | "batch",
  kills: number,
): Promise<void> {
  const folder = join(root, `${driver}-${durability}`);
  const backups = join(folder, "backups");
  const random = randomFrom(durability === "sync" ? 31 : 32);
  const met = new Map<string, number>();
  let expected = new ExpectedPoints();
  let path = "";
  let points = 0;
  let waiting = new WriterProcess();
  try {
    for (let i = 0; i < kills; i++) {
      if (i % KILLS_OF_A_STORE === 0) {
        if (path !== "") rmSync(path, { recursive: true });
        expected = new ExpectedPoints();
        path = join(folder, `store${i}`);
        mkdirSync(path, { recursive: true });
      }
      const writer = waiting;
      const aim = aimOf(random, i);
      // Some are killed while they open the store.
      const when =
        aim.kind !== "none"
          ? { open: LONGEST_TO_MOMENT_MS }
          : random(3) === 0
            ? { start: random(200) }
            : { open: random(60) };
      const run = writer.run({ path, backups, opener: OPENER, driver, durability, next: expected.next, aim }, when);
      waiting = new WriterProcess();
      const said = await run;
      expect(said.warnings).toEqual([]);
      expected.killed(said.done);
      const moment = said.aimed ?? (said.isOpen ? "open" : "opening");
      met.set(moment, (met.get(moment) ?? 0) + 1);
      rmSync(backups, { recursive: true, force: true });
      // Some are killed again before the store is looked at.
      if (random(3) === 0 && i % KILLS_OF_A_STORE !== KILLS_OF_A_STORE - 1 && i !== kills - 1) continue;
      const now = clockAt(Math.max(...expected.next));
      const series = await openSeries({
        path,
        driver: driver === "rocksdb" ? rocksdb() : classicLevel(),
        durability,
        now: () => now,
      });
      try {
        points = await expected.check(series);
        expect(await series.check()).toEqual([]);
      } catch (error) {
        throw new Error(`after kill ${i} (${moment}): ${(error as Error).message}`, { cause: error });
      } finally {
        await series.close();
      }
    }
  } finally {
    await waiting.end();
  }
  expect(points).toBeGreaterThan(0);
  if (kills >= 50)
    expect([...met.keys()].sort()).toEqual(expect.arrayContaining([...new Set(AIMS)].filter((a) => a !== "none")));
}

const kills = SHARE < 1 ? 5 : WHOLE;

test.concurrent("RocksDB, durability sync", () => killOften("rocksdb", "sync", kills));
test.concurrent("RocksDB, durability batch", () => killOften("rocksdb", "batch", kills));
