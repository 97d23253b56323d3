/** Every structure of a cluster keeps every kind of value, and compares values by their bytes. */
import { type Client, type NearCacheConfig, Predicates } from "hazelcast-client";
import { beforeAll, describe, expect, test } from "vitest";
import { moonpackSerialization, Packed } from "../../src/index.ts";
import type { TestCluster } from "../harness/cluster.ts";
import { Player, PlayerKey } from "../harness/schema-versions.ts";
import { until } from "../harness/until.ts";

const ann = new Player({ name: "ann", score: 300, lives: 3 });
const note = { any: ["object", 2n ** 60n], at: new Date(7) };
const VALUES: [string, unknown][] = [
  ["PCK", ann],
  ["MessagePack", note],
  ["canonical MessagePack", new Packed([1, null])],
  ["bytes", Uint8Array.of(1, 2, 3)],
  ["a string", "text"],
];

const NEAR: { [name: string]: NearCacheConfig } = {
  "near objects": { inMemoryFormat: "OBJECT" as never },
  "near bytes": { inMemoryFormat: "BINARY" as never },
};

export function structures(clusterOf: () => TestCluster): void {
  let client: Client;
  let other: Client;
  beforeAll(async () => {
    const config = { serialization: moonpackSerialization({ stored: [Player, PlayerKey] }), nearCaches: NEAR };
    client = await clusterOf().client(config);
    // The same serialization may serve several clients.
    other = await clusterOf().client(config);
  });

  describe.each(VALUES)("%s", (_, value) => {
    test("map: one value, several, and comparisons", async () => {
      const map = await client.getMap<string, unknown>(`map ${_}`);
      expect(await map.put("a", value)).toBeNull();
      expect(await map.get("a")).toEqual(value);
      expect((await map.get("a"))?.constructor).toBe(value?.constructor);
      await map.setAll([
        ["b", value],
        ["c", { other: 1 }],
      ]);
      const all = new Map(await map.getAll(["a", "b", "c"]));
      expect([all.get("b"), all.get("c")]).toEqual([value, { other: 1 }]);
      expect([...(await map.values())].length).toBe(3);
      expect(new Map(await map.entrySet()).get("b")).toEqual(value);
      expect([await map.containsValue(value), await map.containsValue("nothing")]).toEqual([true, false]);
      expect(await map.replaceIfSame("a", value, "new")).toBe(true);
      expect(await map.replaceIfSame("a", value, "newer")).toBe(false);
      expect([await map.remove("b", "new"), await map.remove("b", value)]).toEqual([false, true]);
      expect(await map.putIfAbsent("b", value)).toBeNull();
      expect(await map.remove("b")).toEqual(value);
    });

    test("queue, list, set, multimap, ringbuffer", async () => {
      const queue = await client.getQueue(`queue ${_}`);
      expect([await queue.offer(value), await queue.peek(), await queue.poll()]).toEqual([true, value, value]);
      const list = await client.getList(`list ${_}`);
      await list.addAll(["first", value]);
      expect([await list.get(1), await list.indexOf(value), await list.contains(value)]).toEqual([value, 1, true]);
      const set = await client.getSet(`set ${_}`);
      expect([await set.add(value), await set.add(value), await set.size()]).toEqual([true, false, 1]);
      expect(await set.toArray()).toEqual([value]);
      const multimap = await client.getMultiMap(`multimap ${_}`);
      await multimap.put("a", value);
      await multimap.put("a", "second");
      expect([await multimap.containsEntry("a", value), await multimap.valueCount("a")]).toEqual([true, 2]);
      const ringbuffer = await client.getRingbuffer(`ringbuffer ${_}`);
      const at = await ringbuffer.add(value);
      expect(await ringbuffer.readOne(at)).toEqual(value);
      expect([...(await ringbuffer.readMany(at, 1, 10))]).toEqual([value]);
    });

    test("listeners and reliable topic", async () => {
      const map = await client.getMap<string, unknown>(`listened ${_}`);
      const seen: unknown[] = [];
      await map.addEntryListener(
        { added: (event) => seen.push(event.value), updated: (event) => seen.push(event.oldValue) },
        undefined,
        true,
      );
      const theirs = await other.getMap<string, unknown>(`listened ${_}`);
      await theirs.set("a", value);
      await theirs.set("a", "new");
      await until(() => seen.length === 2);
      expect(seen).toEqual([value, value]);

      const topic = await client.getReliableTopic(`topic ${_}`);
      const messages: unknown[] = [];
      topic.addMessageListener((message) => messages.push(message.messageObject));
      await (await other.getReliableTopic(`topic ${_}`)).publish(value);
      await until(() => messages.length === 1);
      expect(messages).toEqual([value]);
    });

    test.each(Object.keys(NEAR))("%s: read once, read again after another client's change", async (name) => {
      const near = await client.getMap<string, unknown>(name);
      const theirs = await other.getMap<string, unknown>(name);
      await theirs.set(_, value);
      expect([await near.get(_), await near.get(_)]).toEqual([value, value]);
      // The near cache returns its value once it has received the change above.
      const isHeld = async () => {
        const first = await near.get(_);
        return (await near.get(_)) === first;
      };
      if (name === "near objects") await until(isHeld);
      await theirs.set(_, { changed: _ });
      await until(async () => ((await near.get(_)) as { changed?: string }).changed === _);
    });
  });

  test("keys: the same bytes are the same key", async () => {
    const map = await client.getMap<unknown, string>("keys");
    await map.set(new PlayerKey({ team: "north", id: 7 }), "stored");
    await map.set(new Packed({ a: 1, b: 2 }), "packed");
    await map.set({ a: 1, b: 2 }, "plain");
    await map.set("a", "string");
    await map.set(1.5, "number");
    const theirs = await other.getMap<unknown, string>("keys");
    expect(await theirs.get(new PlayerKey({ team: "north", id: 7 }))).toBe("stored");
    expect(await theirs.get(new PlayerKey({ team: "south", id: 7 }))).toBeNull();
    expect(await theirs.get(new Packed({ b: 2, a: 1 }))).toBe("packed");
    expect([await theirs.get({ a: 1, b: 2 }), await theirs.get({ b: 2, a: 1 })]).toEqual(["plain", null]);
    expect([await theirs.get("a"), await theirs.get(1.5)]).toEqual(["string", "number"]);
    // Keys from keySet can be used again.
    for (const key of await theirs.keySet()) expect(await theirs.containsKey(key)).toBe(true);
  });

  test("a partition key: related keys are in one partition", async () => {
    const partitions = client.getPartitionService();
    const ids = Array.from({ length: 8 }, (_, id) => partitions.getPartitionId(new PlayerKey({ team: "north", id })));
    expect(new Set(ids)).toEqual(new Set([partitions.getPartitionId("north")]));
  });

  test("predicates on keys", async () => {
    const map = await client.getMap<string, unknown>("predicates");
    await map.setAll(Array.from({ length: 10 }, (_, i) => [`k${i}`, { i }]));
    const some = await map.entrySetWithPredicate(Predicates.between("__key", "k3", "k4"));
    expect(new Map(some)).toEqual(
      new Map([
        ["k3", { i: 3 }],
        ["k4", { i: 4 }],
      ]),
    );
    expect([...(await map.valuesWithPredicate(Predicates.equal("__key", "k7")))]).toEqual([{ i: 7 }]);
    expect((await map.keySetWithPredicate(Predicates.like("__key", "k%"))).length).toBe(10);
    await map.removeAll(Predicates.sql("__key like 'k%'"));
    expect(await map.size()).toBe(0);
  });
}
