/** Members without java/MessagePackToJson.java refuse these calls: the rows of docs/hazelcast.md that need the class. */
import { type Client, HazelcastJsonValue, Predicates } from "hazelcast-client";
import { beforeAll, expect, test } from "vitest";
import { moonpackSerialization } from "../../src/index.ts";
import type { TestCluster } from "../harness/cluster.ts";
import { Player } from "../harness/schema-versions.ts";

const NO_SERIALIZER = /no suitable de-?serializer/i;

export function limits(clusterOf: () => TestCluster): void {
  let client: Client;
  beforeAll(async () => {
    client = await clusterOf().client({ serialization: moonpackSerialization({ stored: [Player] }) });
  });

  const values = [
    ["MessagePack", { id: 7 }],
    ["PCK", new Player({ name: "ann", score: 1, lives: 1 })],
  ] as const;

  test.each(values)("%s: predicates on fields, pages, indexes, replicated maps", async (name, value) => {
    const map = await client.getMap<string, unknown>(`limited ${name}`);
    // Members sort pages only if there is more than one entry.
    await map.setAll(Array.from({ length: 20 }, (_, i) => [i === 0 ? "a" : `a${i}`, value]));
    await expect(map.keySetWithPredicate(Predicates.equal("id", 7))).rejects.toThrow(NO_SERIALIZER);
    await expect(map.keySetWithPredicate(Predicates.paging(Predicates.alwaysTrue(), 4))).rejects.toThrow(NO_SERIALIZER);
    const indexed = await client.getMap<string, unknown>(`limited index ${name}`);
    await indexed.addIndex({ type: "SORTED" as never, attributes: ["__key"] });
    await expect(indexed.set("a", value)).rejects.toThrow(NO_SERIALIZER);
    const replicated = await client.getReplicatedMap<string, unknown>(`limited ${name}`);
    await expect(replicated.put("a", value)).rejects.toThrow(NO_SERIALIZER);
    expect(await map.get("a")).toEqual(value);
  });

  test("HazelcastJsonValue: as before, while all values of the map are JSON", async () => {
    const map = await client.getMap<string, unknown>("all json");
    await map.set("a", new HazelcastJsonValue('{"id": 7}'));
    expect(await map.keySetWithPredicate(Predicates.equal("id", 7))).toEqual(["a"]);
    await map.set("b", { id: 7 });
    await expect(map.keySetWithPredicate(Predicates.equal("id", 7))).rejects.toThrow(NO_SERIALIZER);
  });
}
