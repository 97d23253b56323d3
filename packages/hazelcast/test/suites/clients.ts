/** Both versions of the client in each line of Node, as a user's project has them. */
import { SHARE } from "@moonpack/tools/share";
import { HazelcastJsonValue } from "hazelcast-client";
import { beforeAll, describe, expect, test } from "vitest";
import { moonpackSerialization, Packed } from "../../src/index.ts";
import type { TestCluster } from "../harness/cluster.ts";
import { installedNodes, runJson } from "../harness/nodes.ts";
import { CLIENTS, withProject } from "../harness/project.ts";
import { Player } from "../harness/schema-versions.ts";

const nodes = await installedNodes();
const pairs = Object.keys(CLIENTS).flatMap((client) => nodes.map((node) => ({ client, node, version: node.version })));
/** A share: each client and the first and the last Node at least once. */
const tried = SHARE < 1 ? [pairs[0]!, pairs.at(-1)!] : pairs;

export function clients(clusterOf: () => TestCluster): void {
  const value = { any: ["object", 1.5], nested: { a: null } };
  beforeAll(async () => {
    const client = await clusterOf().client({ serialization: moonpackSerialization({ stored: [Player] }) });
    const map = await client.getMap<string, unknown>("clients");
    await map.setAll([
      ["player", new Player({ name: "ann", score: 300, lives: 1 })],
      ["object", value],
      ["packed", new Packed([1, null])],
      ["json", new HazelcastJsonValue('{"a": 1}')],
    ]);
  });

  describe.each(tried)("client $client, Node $version", ({ client, node }) => {
    test("reads and writes all kinds, listens, has a near cache, a queue and sessions", async () => {
      const cluster = clusterOf();
      const members = cluster.ports.map((port) => `127.0.0.1:${port}`);
      const name = `clients ${client} ${node.version}`;
      const own = await cluster.client({ serialization: moonpackSerialization({ stored: [Player] }) });
      const source = await own.getMap<string, unknown>("clients");
      const map = await own.getMap<string, unknown>(name);
      await map.setAll(await source.entrySet());
      await map.set("json", new HazelcastJsonValue('{"a": 1}'));
      const settings = JSON.stringify({ clusterName: cluster.name, members, map: name });
      const seen = await withProject(client as keyof typeof CLIENTS, (folder) =>
        runJson(node, folder, ["programs/program.mjs", settings]),
      );
      expect(seen).toEqual({
        seen: { player: ["player", "ann", 300, true], object: value, packed: ["packed", [1, null]], json: { a: 1 } },
        events: ["Object", "Object", "Packed", "Player"],
        polled: "ben",
        refused: ["ERR_UNSUPPORTED_TYPE", "$.run"],
        problems: 0,
        undecoded: "Undecoded",
      });
      expect(await map.get("mine player")).toEqual(new Player({ name: "ben", score: 7, lives: 0 }));
      expect(await map.get("mine object")).toEqual({ at: new Date(7), list: [1, null] });
      expect(await map.get("mine packed")).toEqual(new Packed([1, null]));
      expect(await map.get("mine json")).toEqual({ a: 1 });
    });
  });
}
