/** A target: a map of a Hazelcast cluster. */
import { flagOption, invalidArgument, ownOptions, refuseUnknown } from "moonpack/bytes";
import type { Context, Target } from "../target.js";
import { type Codec, codecOption, isSame, peer } from "./codec.js";
import { objectOption, textOption } from "./target-options.js";

/** The part of a client of `hazelcast-client` that is used. */
export interface HazelcastClientLike {
  /** Resolves with a map of the cluster. */
  getMap(name: string): Promise<{
    get(key: number): Promise<unknown>;
    set(key: number, value: unknown): Promise<unknown>;
    setAll(pairs: [number, unknown][]): Promise<unknown>;
    clear(): Promise<unknown>;
    size(): Promise<number>;
  }>;
  /** Disconnects the client. It is not called for a client that was given. */
  shutdown(): Promise<void>;
}

/** Options of {@link hazelcastMap}. */
export interface HazelcastMapOptions {
  /** The name of the map. It must be empty; it is cleared at the end. Default `"moonpack-load"`. */
  readonly map?: string;
  /** Deletes the entries of a map that is not empty. Without it such a map is `ERR_INVALID_ARGUMENT`. Default false. */
  readonly overwrite?: boolean;
  /** Addresses of members. Default `["127.0.0.1:5701"]`. */
  readonly members?: readonly string[];
  /** Default `"dev"`. */
  readonly clusterName?: string;
  /** An existing client, which stays connected, instead of `members` and `clusterName`. */
  readonly client?: HazelcastClientLike;
  /** Encodes values to bytes. By default the client stores them: strings as strings, objects as JSON. */
  readonly codec?: Codec;
  /** Default: `hazelcast://member/map`. */
  readonly name?: string;
}

/** Number of entries in each batch of `setup`. */
const SETUP_BATCH = 500;
const OPTIONS = ["map", "overwrite", "members", "clusterName", "client", "codec", "name"];

/**
 * Returns a target for a map of a Hazelcast cluster, with integers as keys. Needs the package `hazelcast-client`, unless `client` is
 * given. Throws `ERR_INVALID_ARGUMENT` for invalid or unknown options.
 *
 * @example
 * const result = await load(hazelcastMap({ members: ["10.0.0.5:5701"] }), { scenario: { gets: 80 }, payload: 1024 });
 */
export function hazelcastMap(options: HazelcastMapOptions = {}): Target {
  const given = ownOptions(options);
  refuseUnknown(given, OPTIONS);
  const mapName = textOption("map", given.map, "moonpack-load");
  const clusterName = textOption("clusterName", given.clusterName, "dev");
  const client = objectOption("client", given.client, ["getMap"]);
  const { members = ["127.0.0.1:5701"] } = given;
  const overwrite = flagOption("overwrite", given.overwrite, false);
  const codec = codecOption(given.codec);
  if (!Array.isArray(members) || members.length === 0 || members.some((member) => typeof member !== "string"))
    throw invalidArgument("members must be addresses, such as 127.0.0.1:5701");
  let own: HazelcastClientLike | undefined;
  /** Undefined until this target may clear the map. */
  let map: Awaited<ReturnType<HazelcastClientLike["getMap"]>> | undefined;
  let expected: (key: number) => unknown = () => undefined;
  const stored = (value: unknown) => (codec === undefined ? value : bufferOf(codec.encode(value)));
  return {
    name: textOption("name", given.name, `hazelcast://${members[0]}/${mapName}`),
    async setup({ keys, value, signal }: Context) {
      expected = value;
      if (client === undefined) own = await connected(clusterName, members);
      const found = await (client ?? own!).getMap(mapName);
      const size = overwrite ? 0 : await found.size();
      if (size > 0)
        throw invalidArgument(
          `the map ${mapName} is not empty (${size}), and a run would delete its entries: use another map, or set overwrite`,
        );
      map = found;
      await map.clear();
      for (let from = 0; from < keys && !signal.aborted; from += SETUP_BATCH) {
        const count = Math.min(SETUP_BATCH, keys - from);
        await map.setAll(Array.from({ length: count }, (_, i) => [from + i, stored(value(from + i))]));
      }
    },
    get:
      codec === undefined
        ? (key) => map!.get(key)
        : async (key) => {
            const bytes = (await map!.get(key)) as Uint8Array | null;
            return bytes === null ? null : codec.decode(bytes);
          },
    set: (key, value) => map!.set(key, stored(value)),
    check: (key, result) =>
      isSame(result, codec === undefined ? expected(key) : codec.decode(codec.encode(expected(key)))),
    async close() {
      try {
        await map?.clear();
      } finally {
        await own?.shutdown();
      }
    },
  };
}

async function connected(clusterName: string, members: readonly string[]): Promise<HazelcastClientLike> {
  const { Client } = await peer("hazelcast-client", () => import("hazelcast-client"));
  const client = await Client.newHazelcastClient({
    clusterName,
    network: { clusterMembers: [...members] },
    connectionStrategy: { connectionRetry: { clusterConnectTimeoutMillis: CONNECT_MS } },
    properties: { "hazelcast.logging.level": "OFF" },
  });
  return client as unknown as HazelcastClientLike;
}

/** Time limit for connecting. By default the client tries for ever. */
const CONNECT_MS = 10_000;

/** Returns a Buffer over the same memory: the client accepts only Buffers. */
function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
