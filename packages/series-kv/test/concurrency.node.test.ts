/** Hundreds of calls at a time, while minutes are sealed, hours rolled up and deletes applied: reads see every acknowledged point. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { openSeries } from "@moonpack/series";
import { ROUNDS, runConcurrently, START } from "@moonpack/series/test/harness/concurrent-calls.ts";
import { randomFrom } from "@moonpack/series/test/reference/vectors/random.ts";
import { memoryDatabase, rocksdb } from "@moonpack/series-kv";
import { SHARE } from "@moonpack/tools/share";
import { afterAll, describe, expect, test } from "vitest";
import type { Driver } from "../src/drivers/driver.ts";
import { TestDriver } from "./harness/test-driver.ts";

const root = mkdtempSync(join(tmpdir(), "moonpack-concurrency-"));
afterAll(() => rmSync(root, { recursive: true }));

/** Each call waits a random number of turns. */
function slow(inner: Driver, seed: number): TestDriver {
  const random = randomFrom(seed);
  const driver = new TestDriver(inner);
  const wait = async () => {
    for (let n = random(4) === 0 ? random(12) : random(2); n > 0; n--) await nextTurn();
  };
  driver.before = wait;
  driver.after = wait;
  return driver;
}

describe.each([
  ["memory", () => memoryDatabase(), {}],
  [
    "memory, few metrics in the cache, little memory",
    () => memoryDatabase(),
    { maxCachedMetrics: 3, maxHeadBytes: 2 ** 19 },
  ],
  ["RocksDB", () => rocksdb(), { path: join(root, "rocksdb") }],
] as const)("%s", (_, make, options) => {
  test("reads see all acknowledged points while rounds run", async () => {
    const clock = { now: START };
    const warnings: string[] = [];
    const series = await openSeries({
      driver: slow(make(), 3),
      now: () => clock.now,
      grace: 0,
      rollupAfter: "1h",
      onWarning: ({ message }) => void warnings.push(message),
      ...options,
    });
    const { reads } = await runConcurrently(series, clock, 11);
    const stats = await series.stats();
    expect(stats.rounds).toBeGreaterThanOrEqual(ROUNDS - 1);
    // A share ends before there are many hours.
    expect(stats.hoursWritten).toBeGreaterThan(SHARE < 1 ? 0 : 5);
    expect(reads).toBeGreaterThan(50);
    expect(await series.check()).toEqual([]);
    await series.close();
    expect(warnings).toEqual([]);
  });
});
