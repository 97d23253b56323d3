/** The series driver without a cluster: its options, the client's settings, the write order of a batch. */
import type { Client, ClientConfig } from "hazelcast-client";
import { expect, test } from "vitest";
import { hazelcast } from "../src/series/index.ts";
import { inWriteOrder } from "../src/series/write-order.ts";
import { SETTINGS } from "./series/clients.ts";

const COLUMNS = [{ name: "meta" }, { name: "minutes" }, { name: "hours" }];
const STORE_OPTIONS = { columns: ["meta"], readOnly: false, maxCacheBytes: 0 };
const text = (value: string): Buffer => Buffer.from(value, "latin1");
const put = (column: number, key: string, bytes = 1) => ({ column, key: text(key), value: new Uint8Array(bytes) });

/** A client that is not connected. */
const clientOf = (config: ClientConfig): Client => ({ getConfig: () => config }) as Client;

test.each<[string, ClientConfig]>([
  ["network.redoOperation must be true", { ...SETTINGS, network: {} }],
  ["fail.on.indeterminate.state", { ...SETTINGS, properties: {} }],
  ["network.smartRouting", { ...SETTINGS, network: { ...SETTINGS.network, smartRouting: false } }],
  ["backupAckToClientEnabled", { ...SETTINGS, backupAckToClientEnabled: false }],
])("a client without %s is refused", async (expected, config) => {
  const opened = hazelcast(clientOf(config), { name: "a" }).open("folder", STORE_OPTIONS);
  await expect(opened).rejects.toMatchObject({
    code: "ERR_INVALID_ARGUMENT",
    message: expect.stringContaining(expected),
  });
});

test("a store needs a path for its log", async () => {
  const opened = hazelcast(clientOf(SETTINGS), { name: "a" }).open(undefined, STORE_OPTIONS);
  await expect(opened).rejects.toMatchObject({ code: "ERR_INVALID_ARGUMENT" });
});

test.each([
  undefined,
  {},
  { name: "" },
  { name: "a b" },
  { name: "a." },
  { name: "a:b" },
  { name: "a", lease: 1999 },
  { name: "a", lease: "2 seconds" },
  { name: "a", leese: 5000 },
  { name: "a", wait: -1 },
])("options %j are refused", (options) => {
  expect(() => hazelcast(clientOf(SETTINGS), options as { name: string })).toThrow(
    expect.objectContaining({ code: "ERR_INVALID_ARGUMENT" }),
  );
});

test("anything but a client is refused", () => {
  for (const client of [undefined, {}, "client"])
    expect(() => hazelcast(client as Client, { name: "a" })).toThrow(
      expect.objectContaining({ code: "ERR_INVALID_ARGUMENT" }),
    );
});

test("reserved ids and kept pages are first, then pages, then the entries that end a round, then deletes", () => {
  const operations = [
    { column: 1, key: text("old") },
    put(0, "sealed"),
    put(0, "log"),
    put(2, "hour"),
    put(0, "next"),
    put(0, "bad minutes x"),
    put(1, "minute"),
    { column: 2, key: text("older") },
  ];
  const { stages, deletes } = inWriteOrder(operations, COLUMNS);
  const read = stages.map((groups) =>
    groups.map(({ column, entries }) => [
      COLUMNS[column]!.name,
      ...entries.map(([key]) => Buffer.from(key, "hex").toString("latin1")),
    ]),
  );
  expect(read).toEqual([
    [["meta", "next", "bad minutes x"]],
    [
      ["hours", "hour"],
      ["minutes", "minute"],
    ],
    [["meta", "sealed", "log"]],
  ]);
  expect(deletes.map(({ key }) => Buffer.from(key, "hex").toString("latin1"))).toEqual(["old", "older"]);
});

test("of several operations on a key the last one counts", () => {
  const operations = [
    put(1, "a", 1),
    { column: 1, key: text("a") },
    put(1, "b"),
    put(2, "a"),
    { column: 1, key: text("b") },
  ];
  const { stages, deletes } = inWriteOrder([...operations, put(1, "a", 3)], COLUMNS);
  expect(stages.flat().map(({ column, entries }) => [column, entries.map(([, value]) => value.length)])).toEqual([
    [1, [3]],
    [2, [1]],
  ]);
  expect(deletes).toEqual([{ column: 1, key: "62" }]);
});

test("a group has at most 1 MiB, or one value", () => {
  const sizes = [400_000, 400_000, 400_000, 3_000_000, 10, 1_040_000, 400_000];
  const { stages } = inWriteOrder(
    sizes.map((bytes, i) => put(1, String(i), bytes)),
    COLUMNS,
  );
  const groups = stages.flat();
  expect(groups.map(({ entries }) => entries.map(([, value]) => value.length))).toEqual([
    [400_000, 400_000],
    [400_000],
    [3_000_000],
    [10, 1_040_000],
    [400_000],
  ]);
  expect(groups.flatMap(({ entries }) => entries).length).toBe(sizes.length);
});

test("values are copied", () => {
  const operation = put(1, "a", 2);
  const { stages } = inWriteOrder([operation], COLUMNS);
  operation.value.fill(9);
  expect([...stages[0]![0]!.entries[0]![1]]).toEqual([0, 0]);
});
