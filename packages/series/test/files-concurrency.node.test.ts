/** Hundreds of calls at a time on a store of files whose file system is slow: reads see every acknowledged point. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SHARE } from "@moonpack/tools/share";
import { afterAll, expect, test } from "vitest";
import { nodeStoreFileSystem } from "../build/file-system/store-file-system.js";
import { openWith } from "../build/open.js";
import { readOptions } from "../build/options.js";
import type { SeriesWarning } from "../src/api.ts";
import { ROUNDS, runConcurrently, START } from "./harness/concurrent-calls.ts";
import { ForgetfulFileSystem } from "./harness/forgetful-file-system.ts";
import { slowFileSystem } from "./harness/slow-file-system.ts";
import { randomFrom } from "./reference/vectors/random.ts";

/** Calls of a file system take more iterations of the event loop than calls of a database. */
const WRITES = Math.max(40, Math.floor(90 * SHARE));

const root = mkdtempSync(join(tmpdir(), "moonpack-files-concurrency-"));
afterAll(() => rmSync(root, { recursive: true }));

test.each([
  ["in memory", () => new ForgetfulFileSystem(), {}],
  [
    "on disk, with small caches",
    nodeStoreFileSystem,
    { maxCachedMetrics: 3, maxHeadBytes: 2 ** 19, maxCacheBytes: 2 ** 20 },
  ],
] as const)(
  "%s",
  async (name, make, options) => {
    const clock = { now: START };
    const warnings: string[] = [];
    const random = randomFrom(3);
    const files = slowFileSystem(make(), () => (random(8) === 0 ? random(6) : 0));
    const settings = readOptions({
      path: join(root, name),
      now: () => clock.now,
      grace: 0,
      onWarning: ({ message }: SeriesWarning) => void warnings.push(message),
      ...options,
    });
    const series = await openWith(settings, files);
    const { reads } = await runConcurrently(series, clock, 11, WRITES);
    const stats = await series.stats();
    expect(stats.rounds).toBeGreaterThanOrEqual(ROUNDS - 1);
    // A share ends before there are many blocks.
    expect(stats.hoursWritten).toBeGreaterThan(SHARE < 1 ? 0 : 5);
    expect(reads).toBeGreaterThan(50);
    expect(await series.check()).toEqual([]);
    await series.close();
    expect(warnings).toEqual([]);
  },
  120_000,
);
