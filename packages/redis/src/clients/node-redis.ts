/** Clients of node-redis: client, cluster, pool and sentinel. With a type mapping they return bytes. */
import { recordOf } from "moonpack/bytes";
import { invalidClient } from "../errors.js";
import type { BytesClient, Pairs, ReadCommand } from "./client.js";
import { bytesOf, countOf, entriesOf, fieldsOf, listOf, streamsOf, textOf } from "./replies.js";

/** A client of node-redis 5 or 6: of `createClient`, `createCluster`, `createClientPool` or `createSentinel`. */
export interface NodeRedisClient {
  /** Returns a client on the same connection whose replies have other types. */
  withTypeMapping(mapping: { 36: BufferConstructor; 37: ArrayConstructor }): object;
}

/** `RESP_TYPES.BLOB_STRING`: the type of values. */
const BLOB_STRING = 36;
/** `RESP_TYPES.MAP`, as an array of names and values: an object or a Map loses duplicate names and invalid UTF-8. */
const MAP = 37;

type OnMessage = (message: Buffer, channel: Buffer) => void;

/** Returns the client's commands, with bytes. */
export function nodeRedisClient(client: NodeRedisClient): BytesClient {
  // Only commands of this object return bytes. The caller's client is unchanged.
  const typeMapping = { [BLOB_STRING]: Buffer, [MAP]: Array } as const;
  const mapped = client.withTypeMapping(typeMapping) as Readonly<Record<string, unknown>>;
  const run = (command: string, ...args: unknown[]): Promise<unknown> => {
    const method = mapped[command];
    if (typeof method !== "function") throw invalidClient(`this client of node-redis has no ${command}`);
    return (method as (...args: unknown[]) => Promise<unknown>).apply(mapped, args);
  };
  // Version 5 ignores the mapping for entries of XREAD, so the command is sent as words. Version 6 follows the mapping, and adds its prefix
  // of keys only to its own command. XNACK exists since version 6.
  const isVersion6 = typeof mapped.xNack === "function";
  const send = (key: string | undefined, isReadOnly: boolean, words: string[]): Promise<unknown> => {
    // A cluster selects a member by the key. A sentinel selects one by `isReadOnly`.
    const route = "masters" in mapped ? [key, isReadOnly] : "acquire" in mapped ? [isReadOnly] : [];
    return run("sendCommand", ...route, words, { typeMapping });
  };
  return {
    get: async (key) => bytesOf(await run("get", key), "GET"),
    async set(key, bytes, { ttlMs, keepTtl, condition }) {
      const expiration = ttlMs !== undefined ? { type: "PX", value: ttlMs } : keepTtl ? "KEEPTTL" : undefined;
      return (await run("set", key, bytes, { expiration, condition })) !== null;
    },
    mget: async (keys) => listOf(await run("mGet", keys), "MGET"),
    mset: async (pairs) => void (await run("mSet", pairs)),
    hget: async (key, field) => bytesOf(await run("hGet", key, field), "HGET"),
    hmget: async (key, fields) => listOf(await run("hmGet", key, fields), "HMGET"),
    hset: async (key, pairs) => countOf(await run("hSet", key, new Map(pairs)), "HSET"),
    hgetall: async (key) => fieldsOf(await run("hGetAll", key), "HGETALL"),
    async xadd(key, id, pairs, maxLength) {
      const trim = { strategy: "MAXLEN", strategyModifier: "~", threshold: maxLength };
      const options = maxLength === undefined ? undefined : { TRIM: trim };
      return textOf(await run("xAdd", key, id, recordOf(pairs), options), "XADD");
    },
    async xrange(key, from, to, { count }) {
      return entriesOf(await run("xRange", key, from, to, { COUNT: count }), "XRANGE");
    },
    async xread(streams, command) {
      const reply = isVersion6
        ? run("xRead", streamArgs(streams), readArgs(command))
        : send(streams[0]?.[0], true, ["XREAD", ...readWords(streams, command)]);
      return streamsOf(await reply, "XREAD");
    },
    async xreadgroup(group, consumer, streams, command) {
      const reply = isVersion6
        ? run("xReadGroup", group, consumer, streamArgs(streams), readArgs(command))
        : send(streams[0]?.[0], false, ["XREADGROUP", "GROUP", group, consumer, ...readWords(streams, command)]);
      return streamsOf(await reply, "XREADGROUP");
    },
    publish: async (channel, bytes) => countOf(await run("publish", channel, bytes), "PUBLISH"),
    async subscribe(channel, listener) {
      const onMessage: OnMessage = (message) => listener(message);
      await run("subscribe", channel, onMessage, true);
      return async () => void (await run("unsubscribe", channel, onMessage, true));
    },
  };
}

function readWords(streams: Pairs<string>, { count, blockMs }: ReadCommand): string[] {
  const most = count === undefined ? [] : ["COUNT", String(count)];
  const block = blockMs === undefined ? [] : ["BLOCK", String(blockMs)];
  return [...most, ...block, "STREAMS", ...streams.map(([key]) => key), ...streams.map(([, id]) => id)];
}

function streamArgs(streams: Pairs<string>): { key: string; id: string }[] {
  return streams.map(([key, id]) => ({ key, id }));
}

function readArgs({ count, blockMs }: ReadCommand): { COUNT: number | undefined; BLOCK: number | undefined } {
  return { COUNT: count, BLOCK: blockMs };
}
