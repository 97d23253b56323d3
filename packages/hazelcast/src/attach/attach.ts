/** Schema exchange: programs publish their schemas in a map of the cluster and read the schemas of other programs there. */
import { EventEmitter } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
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
import type { StoredCodec } from "../stored/stored-codec.js";
import { SchemaLearner, type SchemaProblem } from "./learner.js";

/** Options of `attach`. */
export interface AttachOptions {
  /** The name of the map. Default `moonpack.schemas`. */
  readonly map?: string;
  /**
   * How long `attach` waits after it has published a schema that is new to the cluster, so that other programs have read the
   * schema before they receive its first value: milliseconds, or a text such as `"1s"`. Default 250 ms.
   */
  readonly settle?: Duration;
}

/** The result of `attach`: the connection to the map of schemas. */
export interface Attached {
  /**
   * Publishes and reads all schemas again. Rarely needed: changes of the map are received as events, and everything is repeated
   * when a member joins or the client reconnects.
   */
  refresh(): Promise<void>;
  /** Stops listening. Known schemas stay known. */
  detach(): Promise<void>;
  /** Published schemas that cannot be used, with their keys in the map (`typeId:fingerprint`; `*` is the whole map). */
  readonly problems: readonly SchemaProblem[];
}

const DEFAULT_MAP = "moonpack.schemas";
const DEFAULT_SETTLE_MS = 250;
const OPTIONS = ["map", "settle"];
/** The longest delay of a timer. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The key that stands for the whole map in `problems`. */
const WHOLE_MAP = "*";

/** Publishes the schemas of the codecs, reads the schemas of other programs, and listens for new ones. */
export async function attach(
  client: Client,
  codecs: ReadonlyMap<number, StoredCodec>,
  options: AttachOptions | undefined,
): Promise<Attached> {
  if (typeof client?.getMap !== "function") throw invalidArgument("attach needs a client of hazelcast-client");
  const given = optionsObject(options);
  refuseUnknown(given, OPTIONS);
  const name = textOption("map", ownOption(given, "map"), DEFAULT_MAP);
  const settle = durationOption("settle", ownOption(given, "settle"), DEFAULT_SETTLE_MS, 0, MAX_TIMER_MS);
  const learner = new SchemaLearner(codecs);
  const map = await client.getMap<string, string>(name);
  const refresh = async (): Promise<boolean> => {
    for (const [key, document] of await map.entrySet()) learner.learn(key, document);
    const isNew = await publish(map, learner);
    learner.solved(WHOLE_MAP);
    return isNew;
  };

  // Listens before it reads: schemas published between the two steps would be lost.
  const learn = ({ key, value }: { key: string; value: string | null }) => learner.learn(key, value);
  const listener = await map.addEntryListener({ added: learn, updated: learn }, undefined, true);
  // A restarted cluster has lost its maps, and a client that was disconnected has missed events.
  const refreshAll = () => {
    refresh().catch((error: unknown) => learner.failed(WHOLE_MAP, error));
  };
  const cluster = client.getCluster();
  const membership = cluster.addMembershipListener({ memberAdded: refreshAll });
  const stopListening = onConnected(client, refreshAll);
  const detach = async (): Promise<void> => {
    cluster.removeMembershipListener(membership);
    stopListening();
    await map.removeEntryListener(listener);
  };
  try {
    if (await refresh()) await pause(settle);
  } catch (error) {
    await detach().catch(() => undefined);
    throw error;
  }
  return {
    refresh: async () => void (await refresh()),
    detach,
    get problems() {
      return learner.problems;
    },
  };
}

/** Calls back when the client reconnects. Returns a function that stops it. */
function onConnected(client: Client, callback: () => void): () => void {
  const lifecycle: unknown = client.getLifecycleService();
  // Missing in the client's types: they allow lifecycle listeners in the configuration only.
  if (!(lifecycle instanceof EventEmitter)) return () => undefined;
  const listener = (state: unknown) => {
    if (state === "CONNECTED") callback();
  };
  lifecycle.on("lifecycleEvent", listener);
  return () => lifecycle.off("lifecycleEvent", listener);
}

/** Publishes the schemas that the map does not have. Returns true if this program writes values of one of them. */
async function publish(
  map: { putIfAbsent(key: string, value: string): Promise<string | null> },
  learner: SchemaLearner,
): Promise<boolean> {
  let isNew = false;
  for (const { key, document, isWritten } of learner.own()) {
    const before = await map.putIfAbsent(key, document);
    if (before === null && isWritten) isNew = true;
  }
  return isNew;
}
