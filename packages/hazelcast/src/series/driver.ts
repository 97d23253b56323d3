/** The driver for series: checks its arguments, then acquires the store's lease. */
import { resolve } from "node:path";
import { kv, type SeriesDatabase, type Store, type StoreOptions } from "@moonpack/series-kv";
import type { Client } from "hazelcast-client";
import {
  type Duration,
  durationOption,
  invalidArgument,
  optionsObject,
  ownOption,
  refuseUnknown,
} from "moonpack/bytes";
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
   * The name of the store on the cluster: letters, digits, `-` and `_`, or several such parts joined by dots. Its maps are called
   * `name.minutes`, `name.hours` and so on.
   */
  readonly name: string;
  /**
   * How long a store stays locked after its process has ended without closing it: milliseconds, or a text such as `"30s"`. Default
   * 30 s, minimum 2 s. A process that was disconnected for longer continues if no other process has opened the store since.
   */
  readonly lease?: Duration;
  /**
   * How long `openSeries` waits for a store that another process has open: milliseconds, or a text such as `"1m"`. Default 0: it
   * fails immediately.
   */
  readonly wait?: Duration;
}

const OPTIONS = ["name", "lease", "wait"];
const DEFAULT_LEASE_MS = 30_000;
/** The cluster's members count an entry's time to live in seconds. */
const MIN_LEASE_MS = 2000;
/** The longest delay of a timer. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Returns a driver for `@moonpack/series`. Pages and metrics are in maps of a cluster; the write-ahead log stays in the folder of
 * `openSeries`. An acknowledged page is on a member and on its backup.
 *
 * `network.redoOperation` and the property `hazelcast.client.operation.fail.on.indeterminate.state` of the client must be true:
 * otherwise opening a store throws `ERR_INVALID_ARGUMENT`. Closing the store does not disconnect the client.
 *
 * @example
 * const series = await openSeries({ path: "./log", driver: hazelcast(client, { name: "metrics" }) });
 */
export function hazelcast(client: Client, options: ClusterOptions): SeriesDatabase {
  if (typeof client?.getConfig !== "function") throw invalidArgument("client must be a client of hazelcast-client");
  const settings = readOptions(options);
  /** The folder of the open store. */
  let inUse: string | undefined;
  return kv({
    name: "hazelcast",
    reportsOwner: true,
    async open(path, storeOptions) {
      if (path === undefined) throw invalidArgument("a store on a cluster needs a path for its log");
      checkClient(client);
      const folder = resolve(path);
      if (inUse !== undefined && inUse !== folder)
        throw invalidArgument(
          `${settings.name} is already open with the folder ${inUse}: a store on a cluster has one folder at a time. Close it first; backup() needs a second folder, so it cannot copy this store`,
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
  });
}

function readOptions(options: unknown): LeaseOptions {
  const given = optionsObject(options);
  refuseUnknown(given, OPTIONS);
  const name = textOption("name", ownOption(given, "name"), "");
  if (!/^[\w-]+(\.[\w-]+)*$/.test(name))
    throw invalidArgument("name must be letters, digits, - and _, or several such parts joined by dots");
  return {
    name,
    // setTtl and putIfAbsent accept integers only.
    leaseMs: Math.ceil(
      durationOption("lease", ownOption(given, "lease"), DEFAULT_LEASE_MS, MIN_LEASE_MS, MAX_TIMER_MS),
    ),
    waitMs: durationOption("wait", ownOption(given, "wait"), 0, 0, MAX_TIMER_MS),
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
  const lease = await Lease.acquire(control, settings);
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
    // An error of release would hide the first one.
    await lease.release().catch(() => undefined);
    throw error;
  }
}
