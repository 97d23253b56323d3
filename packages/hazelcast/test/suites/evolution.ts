/** Programs of different ages on one cluster, and schemas that they share through it. */
import { spawn } from "node:child_process";
import { type EventEmitter, once } from "node:events";
import { fileURLToPath } from "node:url";
import { fingerprint, toDocument } from "@moonpack/pck";
import type { Client } from "hazelcast-client";
import { describe, expect, test } from "vitest";
import {
  type MoonpackSerialization,
  moonpackSerialization,
  Packed,
  UndecodableError,
  Undecoded,
} from "../../src/index.ts";
import type { TestCluster } from "../harness/cluster.ts";
import {
  IncompatiblePlayer,
  OldPlayer,
  Player,
  PlayerKey,
  PlayerV1,
  PlayerV2,
  StrictPlayer,
} from "../harness/schema-versions.ts";
import { until } from "../harness/until.ts";

const V1 = `1001:${Buffer.from(fingerprint(PlayerV1)).toString("hex")}`;
const V2 = `1001:${Buffer.from(fingerprint(PlayerV2)).toString("hex")}`;
const STRANGER = `1001:${Buffer.from(fingerprint(IncompatiblePlayer)).toString("hex")}`;
const LISTENER = fileURLToPath(new URL("../programs/listener.mjs", import.meta.url));
const soon = { settle: 0 };

export function evolution(clusterOf: () => TestCluster): void {
  /** A program: a client with its own serialization. */
  const program = async (serialization: MoonpackSerialization): Promise<Client> =>
    clusterOf().client({ serialization });

  test("two clients at once: the new one reads both schemas, the old one its own", async () => {
    const older = await (await program(moonpackSerialization({ stored: [OldPlayer] }))).getMap<string, unknown>("ages");
    const newer = await (await program(moonpackSerialization({ stored: [Player] }))).getMap<string, unknown>("ages");
    const names = Array.from({ length: 50 }, (_, i) => `p${i}`);
    await Promise.all(
      names.flatMap((name, i) => [
        older.set(`old ${name}`, new OldPlayer({ nick: name, score: i })),
        newer.set(`new ${name}`, new Player({ name, score: 300 + i, lives: 1 })),
      ]),
    );
    for (const [i, name] of names.entries()) {
      expect(await newer.get(`old ${name}`)).toEqual(new Player({ name, score: i, lives: 3 }));
      expect(await newer.get(`new ${name}`)).toEqual(new Player({ name, score: 300 + i, lives: 1 }));
      expect(await older.get(`old ${name}`)).toEqual(new OldPlayer({ nick: name, score: i }));
      await expect(older.get(`new ${name}`)).rejects.toThrow(expect.objectContaining({ code: "ERR_FINGERPRINT" }));
    }
  });

  describe("values that cannot be decoded are not lost", () => {
    test("throw: get leaves the entry; poll has taken it, and the error has its bytes", async () => {
      const older = await program(moonpackSerialization({ stored: [OldPlayer] }));
      const newer = await program(moonpackSerialization({ stored: [Player] }));
      const ann = new Player({ name: "ann", score: 300, lives: 1 });
      const map = await older.getMap<string, unknown>("kept map");
      await (await newer.getMap("kept map")).set("a", ann);
      await expect(map.get("a")).rejects.toThrow(UndecodableError);
      await expect(map.getAll(["a"])).rejects.toThrow(UndecodableError);
      await expect(map.entrySet()).rejects.toThrow(UndecodableError);
      // The client decodes elements of these lists when they are read.
      const values = await map.values();
      expect(values.size()).toBe(1);
      expect(() => values.get(0)).toThrow(UndecodableError);
      expect(await map.containsKey("a")).toBe(true);

      const [theirs, ours] = [await newer.getQueue("kept queue"), await older.getQueue<unknown>("kept queue")];
      await theirs.offer(ann);
      const error: unknown = await ours.poll().catch((reason) => reason);
      expect([await ours.size(), error]).toEqual([0, expect.any(UndecodableError)]);
      await ours.offer((error as UndecodableError).undecoded);
      expect(await theirs.poll()).toEqual(ann);
    });

    test("throw: a listener never sees it, and the exception is uncaught", async () => {
      const { name, ports } = clusterOf();
      const newer = await (await program(moonpackSerialization({ stored: [Player] }))).getMap<string, unknown>("heard");
      const settings = JSON.stringify({ clusterName: name, members: [`127.0.0.1:${ports[0]}`], map: "heard" });
      const child = spawn(process.execPath, [LISTENER, settings], { stdio: ["ignore", "pipe", "pipe"] });
      let [output, errors] = ["", ""];
      child.stdout.on("data", (text) => (output += text));
      child.stderr.on("data", (text) => (errors += text));
      const ended = once(child, "close");
      await Promise.race([once(child.stdout, "data"), ended]);
      await newer.set("a", new Player({ name: "ann", score: 300, lives: 1 }));
      expect([(await ended)[0], output]).toEqual([1, "listens\n"]);
      expect(errors).toContain("UndecodableError");
      expect(errors).toContain("ERR_FINGERPRINT");
    });

    test("keep: in every structure, and back again, also as a key", async () => {
      const keeping = await program(moonpackSerialization({ stored: [OldPlayer], undecodable: "keep" }));
      const newer = await program(moonpackSerialization({ stored: [Player, PlayerKey] }));
      const ann = new Player({ name: "ann", score: 300, lives: 1 });
      const key = new PlayerKey({ team: "north", id: 7 });
      const theirs = await newer.getMap<unknown, unknown>("kept keys");
      const blind = serializationWithout(PlayerKey);
      const ours = await (await program(blind)).getMap<unknown, unknown>("kept keys");
      await theirs.set(key, ann);
      const [entry] = await ours.entrySet();
      expect(entry).toEqual([expect.any(Undecoded), expect.any(Undecoded)]);
      // The partition key is part of the bytes, so it is the same entry.
      await ours.set(entry![0], "changed");
      expect([await theirs.size(), await theirs.get(key)]).toEqual([1, "changed"]);

      const list = await keeping.getList<unknown>("kept list");
      await (await newer.getList("kept list")).add(ann);
      const [kept] = await list.toArray();
      await list.add(kept);
      expect(await list.indexOf(kept)).toBe(0);
      expect(await (await newer.getList("kept list")).toArray()).toEqual([ann, ann]);

      const seen: unknown[] = [];
      const map = await keeping.getMap<string, unknown>("kept events");
      await map.addEntryListener({ added: ({ value }) => seen.push(value) }, undefined, true);
      await (await newer.getMap("kept events")).set("a", ann);
      await until(() => seen.length === 1);
      expect(seen[0]).toBeInstanceOf(Undecoded);
      await map.set("b", seen[0]);
      expect(await (await newer.getMap("kept events")).get("b")).toEqual(ann);
    });
  });

  describe("attach", () => {
    test("programs learn each other's schemas, whoever comes first", async () => {
      const map = "shared schemas";
      const first = moonpackSerialization({ stored: [StrictPlayer, PlayerKey] });
      const newer = await program(first);
      const attached = await first.attach(newer, { ...soon, map });
      const second = moonpackSerialization({ stored: [OldPlayer] });
      const older = await program(second);
      const other = await second.attach(older, { ...soon, map });

      await (await older.getMap("shared")).set("a", new OldPlayer({ nick: "ann", score: 7 }));
      const players = await newer.getMap<string, unknown>("shared");
      const ann = new StrictPlayer({ name: "ann", score: 7, lives: 3 });
      const isReadable = () =>
        players.get("a").then(
          () => true,
          () => false,
        );
      await until(isReadable);
      expect(await players.get("a")).toEqual(ann);
      // The old class cannot hold what the new one writes.
      expect(other.problems).toEqual([{ key: V2, error: expect.objectContaining({ code: "ERR_SCHEMA" }) }]);
      expect(attached.problems).toEqual([]);
      // Schemas of keys are not published.
      const published = await (await newer.getMap<string, string>(map)).entrySet();
      expect(published.map(([key]) => key).sort()).toEqual([V1, V2].sort());
      expect(JSON.parse(new Map(published).get(V1)!)).toEqual(toDocument(PlayerV1));

      // A program that comes later knows them at once.
      const third = moonpackSerialization({ stored: [StrictPlayer] });
      const late = await program(third);
      await third.attach(late, { ...soon, map });
      expect(await (await late.getMap("shared")).get("a")).toEqual(ann);
      await Promise.all([attached.detach(), other.detach()]);
    });

    test("a schema that is new to the cluster takes the time to settle, a known one does not", async () => {
      const map = "settling schemas";
      const serialization = moonpackSerialization({ stored: [Player] });
      const client = await program(serialization);
      const begun = performance.now();
      await (await serialization.attach(client, { map, settle: 300 })).detach();
      expect(performance.now() - begun).toBeGreaterThan(295);
      // The longest time that a timer has: this would not end.
      await (await serialization.attach(client, { map, settle: 2 ** 31 - 1 })).detach();
      // Schemas in `older` are published, too.
      expect((await (await client.getMap(map)).keySet()).sort()).toEqual([V1, V2].sort());
    });

    test("invalid documents are problems; type ids of other programs are ignored", async () => {
      const name = "problematic schemas";
      const serialization = moonpackSerialization({ stored: [StrictPlayer] });
      const client = await program(serialization);
      const map = await client.getMap<string, unknown>(name);
      const v1 = JSON.stringify(toDocument(PlayerV1));
      const wrong: [string, unknown][] = [
        [STRANGER, JSON.stringify(toDocument(IncompatiblePlayer))],
        ["1001:0000000000000000", v1],
        ["1001:0000000000000001", "{"],
        ["1001:0000000000000002", { not: "text" }],
      ];
      await map.setAll([...wrong, ["5:0000000000000000", "{"], ["no key of ours", "{"], [`x${V1}`, v1]]);
      const attached = await serialization.attach(client, { ...soon, map: name });
      const found = attached.problems.map(({ key }) => key).sort();
      expect(found).toEqual(wrong.map(([key]) => key).sort());
      for (const { error } of attached.problems) expect(error).toMatchObject({ code: "ERR_SCHEMA" });

      // After a repair the problem is gone.
      const mended = "1001:0000000000000002";
      await map.delete(mended);
      await map.set(V1, v1);
      const undecoded = await undecodedV1();
      await until(() => canDecode(serialization, undecoded));
      await attached.detach();
    });

    test("after a reconnect all schemas are published and read again", async () => {
      const name = "schemas after a pause";
      const serialization = moonpackSerialization({ stored: [Player] });
      const client = await program(serialization);
      const attached = await serialization.attach(client, { ...soon, map: name });
      const map = await client.getMap<string, string>(name);
      await map.clear();
      const lifecycle = client.getLifecycleService() as unknown as EventEmitter;
      lifecycle.emit("lifecycleEvent", "CONNECTED");
      await until(async () => (await map.size()) === 2);
      await attached.detach();
    });

    test("detach: learns nothing more until refresh; options", async () => {
      const name = "detached schemas";
      const serialization = moonpackSerialization({ stored: [StrictPlayer] });
      const client = await program(serialization);
      const attached = await serialization.attach(client, { ...soon, map: name });
      await attached.detach();
      const map = await client.getMap<string, string>(name);
      await map.set(V1, JSON.stringify(toDocument(PlayerV1)));
      const undecoded = await undecodedV1();
      expect(canDecode(serialization, undecoded)).toBe(false);
      await map.delete(V2);
      await attached.refresh();
      expect([canDecode(serialization, undecoded), await map.containsKey(V2)]).toEqual([true, true]);
      for (const options of [{ map: 5 }, { settle: -1 }, 7])
        await expect(serialization.attach(client, options as never)).rejects.toMatchObject({
          code: "ERR_INVALID_ARGUMENT",
        });
    });

    /** A value of the oldest schema, read by a program that does not know the schema. */
    async function undecodedV1(): Promise<Undecoded> {
      const older = await program(moonpackSerialization({ stored: [OldPlayer] }));
      await (await older.getMap("v1")).set("a", new OldPlayer({ nick: "ann", score: 7 }));
      const keeping = await program(moonpackSerialization({ stored: [StrictPlayer], undecodable: "keep" }));
      return (await (await keeping.getMap<string, Undecoded>("v1")).get("a"))!;
    }
  });

  test("moving from JSON, and back", async () => {
    const name = "moving";
    const plain = await (await clusterOf().client()).getMap<string, unknown>(name);
    const readers = await (await program(moonpackSerialization({ write: "json" }))).getMap<string, unknown>(name);
    const writers = await (await program(moonpackSerialization())).getMap<string, unknown>(name);
    const value = { a: [1, { b: null }], text: "é" };
    await plain.set("plain", value);
    await readers.set("readers", value);
    await writers.set("writers", value);
    await writers.set("packed", new Packed(value));
    for (const map of [readers, writers]) {
      for (const key of ["plain", "readers", "writers"]) expect(await map.get(key)).toEqual(value);
      expect(await map.get("packed")).toEqual(new Packed(value));
    }
    expect([await plain.get("plain"), await plain.get("readers")]).toEqual([value, value]);
    await expect(plain.get("writers")).rejects.toThrow("no suitable deserializer");
    // Back: each value is written again by the programs that write JSON.
    for (const [key, each] of await readers.entrySet())
      await readers.set(key, each instanceof Packed ? each.value : each);
    for (const key of await plain.keySet()) expect(await plain.get(key)).toEqual(value);
  });
}

/** A serialization that has serializers for all type ids, but does not know the schema of the class's values. */
function serializationWithout({ "~stored": typeId }: { readonly "~stored": number }): MoonpackSerialization {
  const settings = { stored: [OldPlayer], msgpack: { packedTypeId: typeId }, undecodable: "keep" } as const;
  return moonpackSerialization(settings);
}

function canDecode(serialization: MoonpackSerialization, value: Undecoded): boolean {
  try {
    serialization.decode(value);
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: "ERR_FINGERPRINT" });
    return false;
  }
}
