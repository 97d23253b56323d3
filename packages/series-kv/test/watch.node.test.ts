/** `watch()` of a store in a database. */
import { openSeries } from "@moonpack/series";
import { memoryDatabase } from "@moonpack/series-kv";
import { expect, test } from "vitest";
import { ON_DISK, temporaryPaths } from "./driver-harness.ts";

const NOW = 1_700_000_000_000;
const path = temporaryPaths();

test.each([
  ["memory", () => ({ driver: memoryDatabase() })],
  [ON_DISK[0]!.name, () => ({ driver: ON_DISK[0]!.make(), path: path("watch") })],
] as const)("%s: yields points of known and new metrics", async (_, options) => {
  // Few metrics are in memory, so loops look them up in the database.
  const series = await openSeries({ ...options(), now: () => NOW, maxCachedMetrics: 1 });
  const write = (from: number) =>
    series.write(
      Array.from({ length: 10 }, (_, i) => ({ metric: { name: `m${from + i}` }, timestamp: NOW, value: i })),
    );
  await write(0);
  await series.flush();
  const watched = (async () => {
    const names: string[] = [];
    for await (const { points, dropped } of series.watch({ name: /m1?[2-5]/ })) {
      names.push(...points.map(({ metric, value }) => `${metric.name} ${value}`));
      expect(dropped).toBe(0);
    }
    return names;
  })();
  await write(5);
  await series.flush();
  await write(0);
  await series.close();
  expect(await watched).toEqual(["m5 0", "m12 7", "m13 8", "m14 9", "m2 2", "m3 3", "m4 4", "m5 5"]);
});
