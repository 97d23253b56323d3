import { type ClusterOptions, hazelcast } from "@moonpack/hazelcast/series";
import { openSeries, type SeriesDriver } from "@moonpack/series";
import type { Client } from "hazelcast-client";

/** Uses that need a cluster: only their types are checked. */
async function use(client: Client): Promise<number | bigint | undefined> {
  const options: ClusterOptions = { name: "metrics", lease: 5000, wait: 1000 };
  const driver: SeriesDriver = hazelcast(client, options);
  const series = await openSeries({ path: "log", driver });
  await series.write([{ metric: { name: "a" }, timestamp: 1, value: 2 }]);
  const last = await series.last({ name: "a" });
  await series.close();
  return last?.value;
}

console.log(typeof use); // function
try {
  hazelcast(undefined as unknown as Client, { name: "metrics" });
} catch (error) {
  console.log(String(error)); // MoonpackError: client must be a client of hazelcast-client
}
