/** Members with java/MessagePackToJson.java see MessagePack as JSON, and keep its bytes. */
import { SHARE } from "@moonpack/tools/share";
import { Aggregators, type Client, HazelcastJsonValue, type IMap, Predicates } from "hazelcast-client";
import { beforeAll, expect, test } from "vitest";
import { moonpackSerialization, Packed } from "../../src/index.ts";
import type { TestCluster } from "../harness/cluster.ts";

interface Order {
  readonly id: number;
  readonly price: number;
  readonly at: Date;
  readonly customer: { readonly name: string };
  readonly raw: Uint8Array;
}

const order = (id: number): Order => ({
  id,
  price: id * 1.5,
  at: new Date(Date.UTC(2026, 0, 1 + id)),
  customer: { name: `c${id % 3}` },
  raw: Uint8Array.of(id),
});

export function queries(clusterOf: () => TestCluster): void {
  let client: Client;
  let map: IMap<string, Order>;
  beforeAll(async () => {
    client = await clusterOf().client({ serialization: moonpackSerialization() });
    map = await client.getMap("orders");
    await map.setAll(Array.from({ length: 20 }, (_, id) => [`o${id}`, order(id)]));
  });

  test("predicates on fields; the values are the stored bytes", async () => {
    expect([...(await map.valuesWithPredicate(Predicates.equal("id", 7)))]).toEqual([order(7)]);
    const both = Predicates.and(Predicates.equal("customer.name", "c1"), Predicates.greaterThan("price", 15));
    expect((await map.keySetWithPredicate(both)).sort()).toEqual(["o13", "o16", "o19"]);
    const late = Predicates.greaterEqual("at", "2026-01-19T00:00:00.000Z");
    expect((await map.keySetWithPredicate(late)).sort()).toEqual(["o18", "o19"]);
    expect((await map.keySetWithPredicate(Predicates.equal("raw", "Bw=="))).sort()).toEqual(["o7"]);
  });

  test("indexes: on a field, and on the key", async () => {
    for (const attribute of ["price", "__key"]) {
      const indexed = await client.getMap<string, Order>(`indexed ${attribute}`);
      await indexed.addIndex({ type: "SORTED" as never, attributes: [attribute] });
      await indexed.setAll(Array.from({ length: 20 }, (_, id) => [`o${id}`, order(id)]));
      expect((await indexed.keySetWithPredicate(Predicates.lessThan("price", 3))).sort()).toEqual(["o0", "o1"]);
      expect((await indexed.keySetWithPredicate(Predicates.equal("__key", "o7"))).sort()).toEqual(["o7"]);
    }
  });

  test("aggregations", async () => {
    expect(await map.aggregate(Aggregators.doubleSum("price"))).toBe(285);
    expect(Number(await map.aggregateWithPredicate(Aggregators.count(), Predicates.equal("customer.name", "c0")))).toBe(
      7,
    );
  });

  test("pages", async () => {
    const page = Predicates.paging(Predicates.alwaysTrue(), 8);
    const sizes: number[] = [];
    for (let i = 0; i < 3; i++, page.nextPage()) sizes.push([...(await map.valuesWithPredicate(page))].length);
    expect(sizes).toEqual([8, 8, 4]);
  });

  // The first statement takes a member seconds.
  if (SHARE === 1)
    test("SQL, with a mapping to JSON", async () => {
      const sql = client.getSql();
      await sql.execute(
        `CREATE OR REPLACE MAPPING orders TYPE IMap OPTIONS ('keyFormat'='varchar', 'valueFormat'='json')`,
      );
      const result = await sql.execute(
        `SELECT __key, JSON_VALUE(this, '$.customer.name') AS name FROM orders WHERE CAST(JSON_VALUE(this, '$.price') AS DOUBLE) > 27`,
      );
      const rows: unknown[] = [];
      for await (const row of result) rows.push({ ...(row as object) });
      expect(rows).toEqual([{ __key: "o19", name: "c1" }]);
    });

  test("Packed values, and what JSON cannot hold", async () => {
    const odd = await client.getMap<string, unknown>("odd");
    const value = {
      nan: NaN,
      big: 2n ** 63n,
      text: 'a "b"\n\u2028é😀',
      nested: [[null, true]],
      keys: new Map([[7, 1.25]]),
    };
    await odd.set("plain", value);
    await odd.set("packed", new Packed(value));
    const seen = async (predicate: ReturnType<typeof Predicates.equal>) =>
      (await odd.keySetWithPredicate(predicate)).sort();
    expect(await seen(Predicates.equal("keys.7", 1.25))).toEqual(["packed", "plain"]);
    expect(await seen(Predicates.equal("text", value.text))).toEqual(["packed", "plain"]);
    expect(await seen(Predicates.equal("nan", null))).toEqual(["packed", "plain"]);
    expect(await odd.get("plain")).toEqual(value);
  });

  test("a member refuses damaged MessagePack, and still works", async () => {
    const raw = await clusterOf().client({ serialization: { customSerializers: [RAW] } });
    const damaged = await raw.getMap<string, unknown>("damaged");
    // A bin of 2 GB, a truncated string, a truncated list, an invalid byte, trailing bytes, too deep.
    const payloads = ["c67fffffff", "d97f61", "dd7fffffff", "c1", "c0c0", "91".repeat(600) + "c0"];
    for (const hex of payloads) {
      await damaged.set("a", new Raw(Buffer.from(hex, "hex")));
      await expect(damaged.keySetWithPredicate(Predicates.equal("id", 7))).rejects.toThrow();
    }
    await damaged.set("a", new Raw(Buffer.from("81a2696407", "hex")));
    expect(await damaged.keySetWithPredicate(Predicates.equal("id", 7))).toEqual(["a"]);
  });

  test("members that keep objects give JSON back", async () => {
    const objects = await client.getMap<string, unknown>("objects");
    await objects.set("a", { at: new Date(7), raw: Uint8Array.of(7), list: [1, null] });
    expect(await objects.get("a")).toEqual({ at: "1970-01-01T00:00:00.007Z", raw: "Bw==", list: [1, null] });
    const replicated = await client.getReplicatedMap<string, unknown>("replicated");
    await replicated.put("a", { a: 1 });
    expect(await replicated.get("a")).toEqual({ a: 1 });
    expect(await objects.get("nothing")).toBeNull();
  });

  test("HazelcastJsonValue in a separate map", async () => {
    const json = await client.getMap<string, unknown>("json");
    await json.set("a", new HazelcastJsonValue('{"id": 7}'));
    expect(await json.keySetWithPredicate(Predicates.equal("id", 7))).toEqual(["a"]);
    // Here it works with mixed values, too.
    await json.set("b", { id: 7 });
    expect((await json.keySetWithPredicate(Predicates.equal("id", 7))).sort()).toEqual(["a", "b"]);
  });
}

/** Any payload with MessagePack's type id. */
class Raw {
  readonly hzCustomId = 28016;
  readonly payload: Buffer;
  constructor(payload: Buffer) {
    this.payload = payload;
  }
}

const RAW = {
  id: 28016,
  read: () => undefined as never,
  write: (output: { writeByteArray(bytes: Buffer): void }, value: unknown) =>
    output.writeByteArray((value as Raw).payload),
};
