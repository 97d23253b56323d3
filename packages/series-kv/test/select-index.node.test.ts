/** How the tag index changes, and what is said of damaged entries. */

import type { Match } from "@moonpack/series";
import { encodeChunk, indexKey } from "@moonpack/series/test/reference/tag-index.ts";
import { expect, test } from "vitest";
import { matchingIds } from "../../series/build/select/select-ids.js";
import { tagValues } from "../../series/build/select/tag-values.js";
import { type IndexedMetric, indexOperations } from "../src/store/index-operations.ts";
import { change, INDEX, indexOf, matchOf, openStore, selected } from "./harness/select-store.ts";

const metric = (id: number, host = "a"): IndexedMetric => ({ id, name: "cpu", tags: { host, none: "" } });

test("entries have the documented format, and are read with one call", async () => {
  const store = await openStore();
  const added = [metric(5), metric(4096, "é"), metric(4, "b")];
  const operations = await indexOperations(store, INDEX, added);
  const expected: [string, string, number, number[]][] = [
    ["", "cpu", 0, [4, 5]],
    ["host", "a", 0, [5]],
    ["", "cpu", 1, [4096]],
    ["host", "é", 1, [4096]],
    ["host", "b", 0, [4]],
  ];
  expect(operations.map(({ column, key, value }) => [column, [...key], [...value!]])).toEqual(
    expected.map(([tag, value, chunk, ids]) => [INDEX, indexKey(tag, value, chunk), encodeChunk(ids)]),
  );
  expect(store.calls).toMatchObject({ getMany: 1, range: 0 });
});

test("lists become bitmaps at 256 ids, and lists again", async () => {
  const store = await openStore();
  const all = Array.from({ length: 300 }, (_, i) => metric(4096 + 13 * i));
  const value = async () => (await store.getMany(INDEX, [Uint8Array.from(indexKey("host", "a", 1))]))[0];
  const expectIds = async (ids: readonly IndexedMetric[]) => {
    expect([...(await value())!]).toEqual(encodeChunk(ids.map(({ id }) => id)));
    expect(await selected(store, { tags: { host: "a" } }, 10_000)).toEqual(ids.map(({ id }) => id));
  };
  await change(store, all.slice(0, 255));
  expect(await value()).toHaveLength(510);
  await expectIds(all.slice(0, 255));
  await change(store, all.slice(255, 256));
  expect(await value()).toHaveLength(512);
  await expectIds(all.slice(0, 256));
  await change(store, all.slice(256), all.slice(0, 50));
  await expectIds(all.slice(50));
  await change(store, [], all.slice(100));
  await expectIds(all.slice(50, 100));
  await change(store, [], all);
  expect(await value()).toBeUndefined();
  expect(await tagValues(indexOf(store), "host")).toEqual([]);
  // Nothing is written for metrics that are not there.
  expect(await indexOperations(store, INDEX, [], all)).toEqual([]);
});

test("metrics that are added twice, or also removed, are there once", async () => {
  const store = await openStore();
  await change(store, [metric(7), metric(3), metric(7)], [metric(3)]);
  expect([...(await store.getMany(INDEX, [Uint8Array.from(indexKey("", "cpu", 0))]))[0]!]).toEqual([3, 0, 7, 0]);
});

const corrupt = (key: Uint8Array) =>
  expect.objectContaining({
    code: "ERR_SERIES_CORRUPT",
    place: { column: "index", key: expect.objectContaining(key) },
  });

test.each<[string, number[]]>([
  ["an empty value", []],
  ["half an id", [1, 0, 2]],
  ["an id beyond the chunk", [0, 16]],
  ["a bitmap that is too long", new Array<number>(513).fill(1)],
  ["a list as long as a bitmap is not", new Array<number>(514).fill(0)],
])("%s is a damaged entry", async (_, bytes) => {
  const store = await openStore();
  const key = Uint8Array.from(indexKey("host", "a", 0));
  await store.batch([{ column: INDEX, key, value: Uint8Array.from(bytes) }], { sync: false });
  const match = async (host: Match) => matchingIds(indexOf(store), await matchOf(host), 100);
  await expect(match({ tags: { host: "a" } })).rejects.toEqual(corrupt(key));
  await expect(match({ tags: { host: ["a", "b"] } })).rejects.toEqual(corrupt(key));
  await expect(match({ tags: { host: { prefix: "a" } } })).rejects.toEqual(corrupt(key));
  await expect(match({ tags: { host: /a/ } })).rejects.toEqual(corrupt(key));
  await change(store, [metric(1, "b")]);
  await expect(match({ tags: { host: { not: "a" } } })).rejects.toEqual(corrupt(key));
  const within = await match({ name: "cpu" });
  await expect(tagValues(indexOf(store), "host", within)).rejects.toEqual(corrupt(key));
  await expect(indexOperations(store, INDEX, [metric(2)])).rejects.toEqual(corrupt(key));
});

test.each<[string, number[]]>([
  ["no value", [0x68, 0, 0, 0, 0, 0, 0]],
  ["a value that is not UTF-8", [0x68, 0, 0xc3, 0, 0, 0, 0, 0]],
  ["a zero in the value", [0x68, 0, 0x61, 0, 0x61, 0, 0, 0, 0, 0]],
  ["no zero before the chunk", [0x68, 0, 0x61, 1, 0, 0, 0, 0]],
  ["a chunk of ids that cannot be", [0x68, 0, 0x61, 0, 0, 8, 0, 0]],
  ["not even a chunk", [0x68, 0, 0x61]],
])("a key with %s is damaged", async (_, bytes) => {
  const store = await openStore();
  const key = Uint8Array.from(bytes);
  await store.batch([{ column: INDEX, key, value: Uint8Array.of(1, 0) }], { sync: false });
  const match = matchingIds(indexOf(store), await matchOf({ tags: { h: /.+/ } }), 100);
  await expect(match).rejects.toEqual(corrupt(key));
});

test("a value may have the character that stands for damaged bytes", async () => {
  const store = await openStore();
  await change(store, [metric(1, "\ufffd")]);
  expect(await tagValues(indexOf(store), "host")).toEqual(["\ufffd"]);
});
