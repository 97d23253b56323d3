/** Shared by the jobs of series: a client, a folder for the log, points with a key each. */
import { mkdtempSync, rmSync } from "node:fs";
import type { Client } from "hazelcast-client";
import { scratchFile } from "../../../results.js";
import { connect, type Place } from "../cluster.js";

/** A client as the driver wants it. The same one writes points of a key each. */
export function seriesClient(place: Place): Promise<Client> {
  return connect(place, {
    network: { redoOperation: true },
    properties: { "hazelcast.client.operation.fail.on.indeterminate.state": true },
  });
}

/** Calls `work` with a client and a folder, which are gone afterwards. */
export async function withClient<Result>(
  place: Place,
  work: (client: Client, folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(scratchFile("hazelcast-"));
  const client = await seriesClient(place);
  try {
    return await work(client, folder);
  } finally {
    await client.shutdown();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Deletes the maps of a store or of points: all whose names have this prefix. */
export async function destroyMaps(client: Client, prefix: string): Promise<void> {
  for (const object of await client.getDistributedObjects())
    if (object.getName().startsWith(prefix)) await object.destroy();
}

/** The key of a point, where each has one. */
export function pointKey(metric: number, time: number): string {
  return `${metric}:${time}`;
}
