/** A map of a Hazelcast cluster. */
import { flagOption, invalidArgument, ownOptions } from "moonpack/bytes";
import type { Context, Target } from "../target.js";
import { type Codec, codecOption, isSame, peer } from "./codec.js";

/** What is used of a client of `hazelcast-client`. */
export interface HazelcastClientLike {
  getMap(name: string): Promise<{
    get(key: number): Promise<unknown>;
    set(key: number, value: unknown): Promise<unknown>;
    setAll(pairs: [number, unknown][]): Promise<unknown>;
    clear(): Promise<unknown>;
    size(): Promise<number>;
  }>;
  shutdown(): Promise<void>;
}

/** Options of {@link hazelcastMap}. */
export interface HazelcastMapOptions {
  /** The name of the map. It must be empty, and is so again at the end. Default `"moonpack-load"`. */
  readonly map?: string;
  /** Deletes what is in the map, which otherwise is `ERR_INVALID_ARGUMENT`. Default false. */
  readonly overwrite?: boolean;
  /** Addresses of members. Default `["127.0.0.1:5701"]`. */
  readonly members?: readonly string[];
  /** Default `"dev"`. */
  readonly clusterName?: string;
  /** A client of yours, which stays connected, instead of `members` and `clusterName`. */
  readonly client?: HazelcastClientLike;
  /** Values are stored as the bytes of this codec. By default as the client stores them: texts as such, objects as JSON. */
  readonly codec?: Codec;
  /** Default: `hazelcast://member/map`. */
  readonly name?: string;
}

/** Entries that are written at once before the run. */
const FILL = 500;

/**
 * A target for a map of a Hazelcast cluster, with whole numbers as keys. Needs the package `hazelcast-client`, unless you give a client.
 *
 * @example
 * const result = await load(hazelcastMap({ members: ["10.0.0.5:5701"] }), { scenario: { gets: 80 }, payload: 1024 });
 */
export function hazelcastMap(options: HazelcastMapOptions = {}): Target {
  const given = ownOptions(options);
  const { map: mapName = "moonpack-load", members = ["127.0.0.1:5701"], clusterName = "dev" } = given;
  const overwrite = flagOption("overwrite", given.overwrite, false);
  const codec = codecOption(given.codec);
  if (!Array.isArray(members) || members.length === 0)
    throw invalidArgument("members must be addresses, such as 127.0.0.1:5701");
  let own: HazelcastClientLike | undefined;
  /** Undefined until its entries are those of this target. */
  let map: Awaited<ReturnType<HazelcastClientLike["getMap"]>> | undefined;
  let expected: (key: number) => unknown = () => undefined;
  const stored = (value: unknown) => (codec === undefined ? value : bufferOf(codec.encode(value)));
  return {
    name: given.name ?? `hazelcast://${members[0]}/${mapName}`,
    async setup({ keys, value, signal }: Context) {
      expected = value;
      if (given.client === undefined) own = await connected(clusterName, members);
      const found = await (given.client ?? own!).getMap(mapName);
      const size = overwrite ? 0 : await found.size();
      if (size > 0)
        throw invalidArgument(
          `the map ${mapName} is not empty (${size}), and a load would delete what is there: use another map, or overwrite`,
        );
      map = found;
      await map.clear();
      for (let from = 0; from < keys && !signal.aborted; from += FILL) {
        const count = Math.min(FILL, keys - from);
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

/** A cluster that cannot be reached for so long is an error. The client's own default is to try for ever. */
const CONNECT_MS = 10_000;

/** The client takes only Buffers as bytes. */
function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
