/** A polluted Object.prototype changes no option of a database, no key and no result. */
import { openSeries } from "@moonpack/series";
import { afterEach, beforeEach, expect, test } from "vitest";
import { memoryDatabase } from "../src/databases.ts";

/** Options of `openSeries`, and of the calls of `Store` and `Driver`. */
const POLLUTION: Record<string, unknown> = {
  reportsOwner: 5,
  columns: "polluted",
  readOnly: true,
  maxCacheBytes: -1,
  rollupAfter: true,
  volume: "polluted",
  compressible: 5,
  sync: 5,
  reverse: true,
  limit: 0,
  keys: 5,
  fillCache: 5,
  signal: 5,
};
const NOW = 1_700_000_000_000;
const HOUR = 3_600_000;

beforeEach(() => {
  for (const [key, value] of Object.entries(POLLUTION))
    Object.defineProperty(Object.prototype, key, { value, configurable: true, writable: true });
});
afterEach(() => {
  for (const key of Object.keys(POLLUTION)) Reflect.deleteProperty(Object.prototype, key);
});

test("points are written into pages, rolled up, read and deleted", async () => {
  let now = NOW;
  const series = await openSeries({ driver: memoryDatabase(), now: () => now });
  const metric = { name: "load", tags: { dc: "a" } };
  const points = [1, 2, 3].map((value) => ({ metric, timestamp: NOW + value, value }));
  expect(await series.write(points)).toEqual({ accepted: 3, late: 0, refused: 0 });
  now += 30 * HOUR;
  await series.flush();
  await series.compact();
  expect((await series.query({ metric }).toArray()).map(({ value }) => value)).toEqual([1, 2, 3]);
  const found: string[] = [];
  for await (const { metric: one } of series.select({ tags: { dc: "a" } })) found.push(one.name);
  expect(found).toEqual(["load"]);
  expect(await series.check()).toEqual([]);
  await series.delete({ metric, from: NOW, to: NOW + 3 });
  expect((await series.query({ metric }).toArray()).map(({ value }) => value)).toEqual([3]);
  await series.close();
});
