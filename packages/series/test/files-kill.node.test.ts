/**
 * A process that writes a store of files is killed by SIGKILL at each step of sealing, compaction, deletes and backups, while this
 * process reads the store. What is acknowledged must be there for the reader, and for the next writer; nothing else may be.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { files, openSeries, SeriesError } from "@moonpack/series";
import { SHARE } from "@moonpack/tools/share";
import { afterAll, expect, test } from "vitest";
import type { Series } from "../src/api.ts";
import { ExpectedPoints } from "./harness/kill/expected-points.ts";
import { type Aim, LONGEST_TO_MOMENT_MS, WriterProcess } from "./harness/kill/process.ts";
import { CLIENTS, clockAt, METRICS, metricOf, operationOf } from "./programs/operations.mjs";
import { type Random, randomFrom } from "./reference/vectors/random.ts";

const OPENER = new URL("./programs/open-files.mjs", import.meta.url).href;
const root = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "moonpack-files-kill-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const KILLS = SHARE < 1 ? 6 : 60;
const AIMS = ["none", "create", "block", "sync", "folder", "commit", "remove", "delete", "backup"];
const KILLS_OF_A_STORE = 9;

function aimOf(random: Random, i: number): Aim {
  return {
    kind: AIMS[i % AIMS.length]!,
    after: random(5),
    when: (["before", "during", "during", "after"] as const)[random(4)]!,
    microseconds: random(800),
    milliseconds: random(12),
  };
}

/** True if the newest manifest of a store has a block of kept summaries. */
function hasSummaries(path: string): boolean {
  const folder = join(path, "manifest");
  const newest = readdirSync(folder)
    .filter((name) => /^\d+$/.test(name))
    .sort()
    .at(-1);
  if (newest === undefined) return false;
  const { summaries = [] } = JSON.parse(readFileSync(join(folder, newest)).toString("utf8", 4)) as {
    readonly summaries?: readonly { readonly blocks: readonly unknown[] }[];
  };
  return summaries.some(({ blocks }) => blocks.length > 0);
}

/** Reads while a writer runs: each value must be one that an operation writes there. */
async function poll(path: string, isOver: () => boolean): Promise<number> {
  let series: Series | undefined;
  let reads = 0;
  try {
    while (!isOver()) {
      try {
        series ??= await openSeries({ path, driver: files(), readOnly: true, now: () => clockAt(1e6) });
      } catch (error) {
        // The writer has not made it yet.
        if (!(error instanceof SeriesError && error.code === "ERR_SERIES_STORE")) throw error;
        await sleep(20);
        continue;
      }
      const client = reads % CLIENTS;
      for (let metric = 0; metric < METRICS; metric++) {
        for (const { timestamp, value } of await series.query({ metric: metricOf(client, metric) }).toArray()) {
          const operation = operationOf(client, Math.floor(Number(value) / 100));
          const isWritten =
            "points" in operation &&
            operation.points.some((p) => p.metric === metric && p.time === timestamp && p.value === Number(value));
          if (!isWritten)
            throw new Error(`a reader found ${value} of metric ${metric}, client ${client}, at ${timestamp}`);
        }
      }
      reads++;
      await sleep(5);
    }
  } finally {
    await series?.close();
  }
  return reads;
}

test.each(["sync", "batch"] as const)("files, durability %s", async (durability) => {
  const folder = join(root, durability);
  const backups = join(folder, "backups");
  const random = randomFrom(durability === "sync" ? 41 : 42);
  const met = new Set<string>();
  let expected = new ExpectedPoints();
  let path = "";
  let points = 0;
  let reads = 0;
  let summarised = 0;
  let waiting = new WriterProcess();
  try {
    for (let i = 0; i < KILLS; i++) {
      if (i % KILLS_OF_A_STORE === 0) {
        if (path !== "") rmSync(path, { recursive: true });
        expected = new ExpectedPoints();
        path = join(folder, `store${i}`);
        mkdirSync(path, { recursive: true });
      }
      const writer = waiting;
      const aim = aimOf(random, i);
      const when =
        aim.kind !== "none"
          ? { open: LONGEST_TO_MOMENT_MS }
          : random(3) === 0
            ? { start: random(200) }
            : { open: random(60) };
      let isOver = false;
      const polling = poll(path, () => isOver);
      const said = await writer.run({ path, backups, opener: OPENER, durability, next: expected.next, aim }, when);
      waiting = new WriterProcess();
      isOver = true;
      reads += await polling;
      expect(said.warnings).toEqual([]);
      expected.killed(said.done);
      const moment = said.aimed ?? (said.isOpen ? "open" : "opening");
      met.add(moment);
      rmSync(backups, { recursive: true, force: true });
      const now = clockAt(Math.max(...expected.next));
      for (const readOnly of [true, false]) {
        let series: Series | undefined;
        try {
          series = await openSeries({ path, driver: files(), durability, readOnly, now: () => now });
          points = await expected.check(series);
          expect(await series.check()).toEqual([]);
        } catch (error) {
          if (readOnly && error instanceof SeriesError && error.code === "ERR_SERIES_STORE" && !said.isOpen) continue;
          const who = readOnly ? "a reader" : "a writer";
          throw new Error(`after kill ${i} (${moment}), ${who}: ${(error as Error).message}`, { cause: error });
        } finally {
          await series?.close();
        }
      }
      if (hasSummaries(path)) summarised++;
    }
  } finally {
    await waiting.end();
  }
  expect(points).toBeGreaterThan(0);
  expect(reads).toBeGreaterThan(0);
  expect(summarised).toBeGreaterThan(0);
  if (KILLS >= 50) expect([...met]).toEqual(expect.arrayContaining(["create", "block", "sync", "commit"]));
}, 600_000);
