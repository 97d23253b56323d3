/** The driver: checks, then takes the store. */
import { resolve } from "node:path";
import type { Driver, Store, StoreOptions } from "@moonpack/series/drivers";
import type { Client } from "hazelcast-client";
import { countOption, invalidArgument, optionsObject, ownOption } from "moonpack/bytes";
import { textOption } from "../options.js";
import { checkClient } from "./client-check.js";
import { addIndexes, columnMaps, controlMap } from "./columns.js";
import { clusterError } from "./errors.js";
import { identify } from "./identity.js";
import { Lease, type LeaseOptions } from "./lease.js";
import { ClusterStore } from "./store.js";
import { MapWriter } from "./writer.js";

/** Options of {@link hazelcast}. */
export interface ClusterOptions {
  /**
   * The name of the store on the cluster. Its maps are called `name.minutes`, `name.hours` and so on. Letters, digits, `-` and `_`,
   * also parts of such that dots join.
   */
  readonly name: string;
  /**
   * Milliseconds after which others may take a store whose process is gone. Default 30,000; at least 2,000. A process that could not
   * reach the cluster for so long goes on if nobody has taken its store meanwhile.
   */
  readonly leaseMillis?: number;
  /** Milliseconds that `openSeries` waits for a store that another process has. Default 0: it fails at once. */
  readonly waitMillis?: number;
}

const DEFAULT_LEASE_MS = 30_000;
/** Members count lifetimes in seconds. */
const MIN_LEASE_MS = 2000;
/** Timers go no further. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * A driver of `@moonpack/series`: pages and metrics are in maps of a cluster, the write-ahead log stays in the folder of `openSeries`.
 * A page that is acknowledged is on a member and on its backup.
 *
 * The client must have `network.redoOperation` and the property `hazelcast.client.operation.fail.on.indeterminate.state`, both true:
 * opening a store without them is `ERR_INVALID_ARGUMENT`. The client stays connected when the store is closed.
 *
 * @example
 * const series = await openSeries({ path: "./log", driver: hazelcast(client, { name: "metrics" }) });
 */
export function hazelcast(client: Client, options: ClusterOptions): Driver {
  if (typeof client?.getConfig !== "function") throw invalidArgument("client must be a client of hazelcast-client");
  const settings = readOptions(options);
  /** The folder of the store that is open. */
  let inUse: string | undefined;
  return {
    name: "hazelcast",
    tellsOwner: true,
    async open(path, storeOptions) {
      if (path === undefined) throw invalidArgument("a store on a cluster needs a path, for its log");
      checkClient(client);
      const folder = resolve(path);
      if (inUse !== undefined && inUse !== folder)
        throw invalidArgument(
          `${settings.name} is open with ${inUse}; a second folder, such as that of a backup, would be the same store`,
        );
      try {
        const store = await openStore(client, settings, folder, storeOptions, () => {
          inUse = undefined;
        });
        inUse = folder;
        return store;
      } catch (error) {
        throw clusterError(error);
      }
    },
  };
}

function readOptions(options: unknown): LeaseOptions {
  const given = optionsObject(options);
  const name = textOption("name", ownOption(given, "name"), "");
  if (!/^[\w-]+(\.[\w-]+)*$/.test(name))
    throw invalidArgument("name must be letters, digits, - and _, or several such parts with dots between them");
  return {
    name,
    leaseMillis: countOption(
      "leaseMillis",
      ownOption(given, "leaseMillis"),
      DEFAULT_LEASE_MS,
      MIN_LEASE_MS,
      MAX_TIMER_MS,
    ),
    waitMillis: countOption("waitMillis", ownOption(given, "waitMillis"), 0, 0, MAX_TIMER_MS),
  };
}

async function openStore(
  client: Client,
  settings: LeaseOptions,
  folder: string,
  { columns, readOnly }: StoreOptions,
  onClose: () => void,
): Promise<Store> {
  const maps = await columnMaps(client, settings.name, columns);
  const control = await controlMap(client, settings.name);
  const lease = await Lease.take(control, settings);
  try {
    await identify(control, settings.name, folder, readOnly);
    await addIndexes(maps);
    const partitions = client.getPartitionService();
    const writer = new MapWriter(maps, lease, (key) => partitions.getPartitionId(key));
    return new ClusterStore(maps, writer, readOnly, async () => {
      onClose();
      await lease.release();
    });
  } catch (error) {
    // The first error tells more.
    await lease.release().catch(() => undefined);
    throw error;
  }
}
