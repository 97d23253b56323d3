/** Schemas that programs share through a map of the cluster. */
import { EventEmitter } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import type { Client } from "hazelcast-client";
import { countOption, optionsObject, ownOption } from "moonpack/bytes";
import { textOption } from "../options.js";
import type { StoredCodec } from "../stored/stored-codec.js";
import { SchemaLearner, type SchemaProblem } from "./learner.js";

/** Options of `attach`. */
export interface AttachOptions {
  /** The name of the map. Default `moonpack.schemas`. */
  readonly map?: string;
  /**
   * Milliseconds that `attach` waits after it has published a schema that is new to the cluster, so that other programs know
   * it before they meet its first value. Default 250.
   */
  readonly settleMillis?: number;
}

/** What `attach` returns. */
export interface Attached {
  /**
   * Publishes and learns once more. Rarely needed: each change of the map is learned when it happens, and when a member joins or
   * the client is connected again, all is done again.
   */
  refresh(): Promise<void>;
  /** Stops listening. Schemas that are known stay known. */
  detach(): Promise<void>;
  /** Published schemas that cannot be used, with their keys in the map (`typeId:fingerprint`; `*` is the whole map). */
  readonly problems: readonly SchemaProblem[];
}

const DEFAULT_MAP = "moonpack.schemas";
const DEFAULT_SETTLE_MS = 250;
/** Timers go no further. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The key of a whole map in `problems`. */
const WHOLE_MAP = "*";

/** Publishes the schemas of the codecs, learns others, and listens for more. */
export async function attach(
  client: Client,
  codecs: ReadonlyMap<number, StoredCodec>,
  options: AttachOptions | undefined,
): Promise<Attached> {
  const given = optionsObject(options);
  const name = textOption("map", ownOption(given, "map"), DEFAULT_MAP);
  const settle = countOption("settleMillis", ownOption(given, "settleMillis"), DEFAULT_SETTLE_MS, 0, MAX_TIMER_MS);
  const learner = new SchemaLearner(codecs);
  const map = await client.getMap<string, string>(name);
  const refresh = async (): Promise<boolean> => {
    for (const [key, document] of await map.entrySet()) learner.learn(key, document);
    const isNew = await publish(map, learner);
    learner.solved(WHOLE_MAP);
    return isNew;
  };

  // Listens first: what is published between reading and listening would be lost.
  const learn = ({ key, value }: { key: string; value: string | null }) => learner.learn(key, value);
  const listener = await map.addEntryListener({ added: learn, updated: learn }, undefined, true);
  // A cluster that has been started again has lost its maps, and a client that was away has missed events.
  const again = () => {
    refresh().catch((error: unknown) => learner.failed(WHOLE_MAP, error));
  };
  const cluster = client.getCluster();
  const membership = cluster.addMembershipListener({ memberAdded: again });
  const ignore = onConnected(client, again);
  const detach = async (): Promise<void> => {
    cluster.removeMembershipListener(membership);
    ignore();
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

/** Calls back when the client is connected again; what is returned ends that. */
function onConnected(client: Client, callback: () => void): () => void {
  const lifecycle: unknown = client.getLifecycleService();
  // The client's types do not say it, and let only its configuration listen.
  if (!(lifecycle instanceof EventEmitter)) return () => undefined;
  const listener = (state: unknown) => {
    if (state === "CONNECTED") callback();
  };
  lifecycle.on("lifecycleEvent", listener);
  return () => lifecycle.off("lifecycleEvent", listener);
}

/** Publishes what the map lacks. Returns true if a schema is among it in which this program writes. */
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
