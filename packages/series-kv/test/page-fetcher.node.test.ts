/** Pages that are requested together are read with one call, each once. */

import fc from "fast-check";
import { expect, test } from "vitest";
import type { Store } from "../src/drivers/driver.ts";
import { pageKey } from "../src/page/page-key.ts";
import { PageFetcher } from "../src/read/page-fetcher.ts";

type Calls = Uint8Array[][];

/** A store that returns a copy of each key as its value, and undefined for odd groups. */
function store(calls: Calls, fails = false): Store {
  const getMany = async (_column: number, keys: readonly Uint8Array[]) => {
    calls.push([...keys]);
    if (fails) throw new Error("no luck");
    return keys.map((key) => (key[5]! % 2 === 1 ? undefined : key.slice()));
  };
  return { getMany } as Partial<Store> as Store;
}

/** Few groups and minutes, some of them 128 weeks and 65,536 groups from each other. */
const key = fc.record({
  minute: fc.constantFrom(0, 1, 59, 128 * 10_080, 129 * 10_080 + 1),
  group: fc.constantFrom(0, 1, 2, 65_536, 65_538),
});

test("each request gets its pages, whatever the others ask for", async () => {
  const requests = fc.array(fc.array(key, { minLength: 1, maxLength: 90 }), { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(requests, async (lists) => {
      const calls: Calls = [];
      const fetcher = new PageFetcher(store(calls), 0);
      const keys = lists.map((list) => list.map(({ minute, group }) => pageKey(minute, group)));
      const pages = await Promise.all(keys.map((list) => fetcher.get(list)));
      const expected = (one: Uint8Array) => (one[5]! % 2 === 1 ? undefined : one);
      expect(pages).toEqual(keys.map((list) => list.map(expected)));
      // A call of several requests asks for no page twice, nor for too many.
      for (const call of calls) {
        if (keys.some((list) => list.length === call.length && list.every((one, i) => one === call[i]))) continue;
        expect(new Set(call.map((one) => Buffer.from(one).toString("hex"))).size).toBe(call.length);
        expect(call.length).toBeLessThanOrEqual(256);
      }
    }),
    { numRuns: 100 },
  );
});

test("requests of one turn that share a page are one call with one key", async () => {
  const calls: Calls = [];
  const fetcher = new PageFetcher(store(calls), 0);
  const pages = await Promise.all(Array.from({ length: 16 }, () => fetcher.get([pageKey(5, 2)])));
  expect(calls).toEqual([[pageKey(5, 2)]]);
  expect(pages).toEqual(Array.from({ length: 16 }, () => [pageKey(5, 2)]));
});

test("a request during a running call has a separate call", async () => {
  const calls: Calls = [];
  const fetcher = new PageFetcher(store(calls), 0);
  const first = fetcher.get([pageKey(5, 2)]);
  await new Promise<void>((resolve) => process.nextTick(resolve));
  const second = fetcher.get([pageKey(5, 2)]);
  await Promise.all([first, second]);
  expect(calls).toEqual([[pageKey(5, 2)], [pageKey(5, 2)]]);
});

test("a call that fails fails for all of its requests", async () => {
  const fetcher = new PageFetcher(store([], true), 0);
  const results = await Promise.allSettled([0, 0, 2].map((group) => fetcher.get([pageKey(5, group)])));
  expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
});

/** The same with all keys of minute 0 in memory. */
function storeWithMemory(calls: Calls): Store {
  return { ...store(calls), cached: (_column: number, key: Uint8Array) => (key[7] === 0 ? key : undefined) };
}

test("a request that finds all of its pages in memory makes no call, any other one calls for all", async () => {
  const calls: Calls = [];
  const fetcher = new PageFetcher(storeWithMemory(calls), 0);
  const inMemory = [pageKey(0, 2), pageKey(0, 4)];
  expect(await fetcher.get(inMemory)).toEqual(inMemory);
  expect(calls).toEqual([]);
  const both = [pageKey(0, 2), pageKey(1, 2)];
  expect(await fetcher.get(both)).toEqual(both);
  expect(calls).toEqual([both]);
});
