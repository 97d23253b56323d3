// Listens to a map whose values it cannot decode. Arguments: JSON of { clusterName, members, map }.
import { moonpackSerialization, stored } from "@moonpack/hazelcast";
import { schema, u8, utf8 } from "@moonpack/pck";
import { Client } from "hazelcast-client";

const { clusterName, members, map: name } = JSON.parse(process.argv[2]);
class OldPlayer extends stored(1001, schema("Player", utf8("nick"), u8("score"))) {}
const client = await Client.newHazelcastClient({
  clusterName,
  network: { clusterMembers: members },
  properties: { "hazelcast.logging.level": "OFF" },
  serialization: moonpackSerialization({ stored: [OldPlayer] }),
});
const map = await client.getMap(name);
await map.addEntryListener({ added: () => console.log("heard") }, undefined, true);
console.log("listens");
