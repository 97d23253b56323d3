// The series driver for another process. MOONPACK_SERIES_STORE has the cluster and the store as JSON. With the arguments "open" and
// a folder this is a program: it writes a point, prints it, and keeps the store open until it is killed.
import { hazelcast } from "@moonpack/hazelcast/series";
import { openSeries } from "@moonpack/series";
import { kv } from "@moonpack/series-kv";
import { Client } from "hazelcast-client";

const { clusterName, ports, ...options } = JSON.parse(process.env.MOONPACK_SERIES_STORE);

/** A driver that connects when a store is opened. */
export function driver() {
  return kv({
    name: "hazelcast",
    async open(path, storeOptions) {
      const client = await Client.newHazelcastClient({
        clusterName,
        network: { clusterMembers: ports.map((port) => `127.0.0.1:${port}`), redoOperation: true },
        properties: {
          "hazelcast.client.operation.fail.on.indeterminate.state": true,
          "hazelcast.logging.level": "OFF",
        },
      });
      return await hazelcast(client, options).open(path, storeOptions);
    },
  });
}

const [, , command, path] = process.argv;
if (command === "open") {
  const series = await openSeries({ path, driver: driver() });
  const point = { metric: { name: "cpu.load" }, timestamp: Date.now(), value: process.pid };
  await series.write([point]);
  console.log(JSON.stringify(point));
  setInterval(() => undefined, 1000);
}
