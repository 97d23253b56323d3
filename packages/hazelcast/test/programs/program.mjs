// A user's program, with the client in its folder. Argument: JSON of { clusterName, members, map }. Reads the map, writes values,
// and prints all that it has seen as JSON.
import { setTimeout as pause } from "node:timers/promises";
import { moonpackSerialization, Packed, sessionStore, stored, Undecoded } from "@moonpack/hazelcast";
import { schema, u8, u16, utf8 } from "@moonpack/pck";
import { Client, HazelcastJsonValue } from "hazelcast-client";

const { clusterName, members, map: name } = JSON.parse(process.argv[2]);
class Player extends stored(1001, schema("Player", utf8("name"), u16("score"), u8("lives"))) {
  get isAlive() {
    return this.lives > 0;
  }
}

const serialization = moonpackSerialization({ stored: [Player], undecodable: "keep" });
const client = await Client.newHazelcastClient({
  clusterName,
  network: { clusterMembers: members },
  properties: { "hazelcast.logging.level": "OFF" },
  nearCaches: { [name]: { inMemoryFormat: "OBJECT" } },
  serialization,
});
const attached = await serialization.attach(client, { settle: 0 });
const map = await client.getMap(name);

const seen = {};
for (const [key, value] of await map.entrySet()) {
  const text = value instanceof Packed ? ["packed", value.value] : value;
  seen[key] = value instanceof Player ? ["player", value.name, value.score, value.isAlive] : text;
}

const events = [];
await map.addEntryListener({ added: (event) => events.push(event.value.constructor.name) }, undefined, true);
const mine = {
  player: new Player({ name: "ben", score: 7, lives: 0 }),
  object: { at: new Date(7), list: [1, null] },
  packed: new Packed([1, null]),
  json: new HazelcastJsonValue('{"a": 1}'),
};
const own = await client.getMap(`${name} of ${process.version} and ${members.length}`);
for (const [key, value] of Object.entries(mine)) {
  await map.set(`mine ${key}`, value);
  await own.set(key, value);
}
while (events.length < 4) await pause(5);

// The near cache answers with the same object, once it has heard of the changes above.
for (let last, now; now === undefined || now !== last; last = now, now = await map.get("mine object"));

const queue = await client.getQueue(`${name} queue`);
await queue.offer(mine.player);
const polled = await queue.poll();
const store = sessionStore(own, { prefix: "session " });
await new Promise((resolve, reject) => store.set("a", { cookie: {} }, (error) => (error ? reject(error) : resolve())));

let refused;
try {
  await own.set("bad", { run: () => 1 });
} catch ({ code, path }) {
  refused = [code, path];
}
console.log(
  JSON.stringify({
    seen,
    events: events.sort(),
    polled: polled instanceof Player && polled.name,
    refused,
    problems: attached.problems.length,
    undecoded: Undecoded.name,
  }),
);
await client.shutdown();
