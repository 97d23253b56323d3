/** Clients of ioredis: Redis and Cluster. Their commands that end with Buffer return bytes. */
import { invalidClient } from "../errors.js";
import { asBuffer, type BytesClient, type Pairs, type ReadCommand } from "./client.js";
import { bytesOf, countOf, entriesOf, fieldsOf, listOf, streamsOf, textOf } from "./replies.js";

/** A client of ioredis 5 or 6: `Redis` or `Cluster`. */
export interface IoredisClient {
  /** Calls a command. Texts of the reply are Buffers. */
  callBuffer(command: string, args: (string | Buffer | number)[]): Promise<unknown>;
  /** Adds a listener for messages of channels. */
  on(event: "messageBuffer", listener: (channel: Buffer, message: Buffer) => void): unknown;
}

/** Lists of any length are passed as one argument, which ioredis flattens: a call is limited to about 120,000 arguments. */
type Argument = string | number | Buffer | readonly Argument[];
type Command = (...args: Argument[]) => Promise<unknown>;
type OnMessage = (channel: Buffer, message: Buffer) => void;

/** Replaces invalid UTF-8 in decoded text. */
const REPLACED = "\ufffd";

/** The commands by name. `callBuffer` loses the command's name with automatic pipelining. */
interface Commands extends IoredisClient {
  readonly [command: string]: unknown;
  off(event: "messageBuffer", listener: OnMessage): unknown;
}

/** Returns the client's commands, with bytes. */
export function ioredisClient(client: IoredisClient): BytesClient {
  const commands = client as Commands;
  const run = (command: string, ...args: Argument[]): Promise<unknown> => {
    const method = commands[command];
    if (typeof method !== "function") throw invalidClient(`this client of ioredis has no ${command}`);
    return (method as Command).apply(client, args);
  };
  return {
    get: async (key) => bytesOf(await run("getBuffer", key), "GET"),
    async set(key, bytes, { ttlMs, keepTtl, condition }) {
      const args: Argument[] = [key, bytes];
      if (ttlMs !== undefined) args.push("PX", ttlMs);
      if (keepTtl) args.push("KEEPTTL");
      if (condition !== undefined) args.push(condition);
      return (await run("set", ...args)) !== null;
    },
    mget: async (keys) => listOf(await run("mgetBuffer", keys), "MGET"),
    mset: async (pairs) => void (await run("mset", pairs.flat())),
    hget: async (key, field) => bytesOf(await run("hgetBuffer", key, field), "HGET"),
    hmget: async (key, fields) => listOf(await run("hmgetBuffer", key, fields), "HMGET"),
    hset: async (key, pairs) => countOf(await run("hset", key, pairs.flat()), "HSET"),
    async hgetall(key) {
      const fields = fieldsOf(await run("hgetallBuffer", key), "HGETALL");
      if (!fields.some(([name]) => typeof name === "string" && name.includes(REPLACED))) return fields;
      // ioredis decodes names as text, and several names may become the same text. So the bytes of the names are read.
      const names = listOf(await run("hkeysBuffer", key), "HKEYS").map((name) => asBuffer(name!));
      if (names.length === 0) return [];
      const values = listOf(await run("hmgetBuffer", key, names), "HMGET");
      return names.flatMap((name, i) => (values[i] === undefined ? [] : [[name, values[i]] as const]));
    },
    xadd: async (key, id, pairs, maxLength) => {
      const trim = maxLength === undefined ? [] : ["MAXLEN", "~", maxLength];
      return textOf(await run("xadd", key, ...trim, id, pairs.flat()), "XADD");
    },
    async xrange(key, from, to, command) {
      return entriesOf(await run("xrangeBuffer", key, from, to, ...countArgs(command)), "XRANGE");
    },
    async xread(streams, command) {
      return streamsOf(await run("xreadBuffer", readArgs(streams, command)), "XREAD");
    },
    async xreadgroup(group, consumer, streams, command) {
      const args = readArgs(streams, command);
      return streamsOf(await run("xreadgroupBuffer", "GROUP", group, consumer, args), "XREADGROUP");
    },
    publish: async (channel, bytes) => countOf(await run("publish", channel, bytes), "PUBLISH"),
    async subscribe(channel, listener) {
      const name = Buffer.from(channel);
      const onMessage: OnMessage = (from, message) => {
        if (name.equals(from)) listener(message);
      };
      const listeners = listenersOf(client, channel);
      commands.on("messageBuffer", onMessage);
      listeners.add(onMessage);
      /** Returns true if this was the channel's last listener. */
      const remove = (): boolean => {
        commands.off("messageBuffer", onMessage);
        return listeners.delete(onMessage) && listeners.size === 0;
      };
      try {
        await run("subscribe", channel);
      } catch (error) {
        remove();
        throw error;
      }
      return async () => {
        if (remove()) await run("unsubscribe", channel);
      };
    },
  };
}

/** The listeners of each client's channels. RedisValues objects may share a client, and each ends only its own subscriptions. */
const channels = /* @__PURE__ */ new WeakMap<IoredisClient, Map<string, Set<OnMessage>>>();

function listenersOf(client: IoredisClient, channel: string): Set<OnMessage> {
  let ofClient = channels.get(client);
  if (ofClient === undefined) channels.set(client, (ofClient = new Map()));
  let listeners = ofClient.get(channel);
  if (listeners === undefined) ofClient.set(channel, (listeners = new Set()));
  return listeners;
}

function countArgs({ count }: ReadCommand): Argument[] {
  return count === undefined ? [] : ["COUNT", count];
}

function readArgs(streams: Pairs<string>, command: ReadCommand): Argument[] {
  const block = command.blockMs === undefined ? [] : ["BLOCK", command.blockMs];
  const keys = streams.map(([key]) => key);
  const ids = streams.map(([, id]) => id);
  return [...countArgs(command), ...block, "STREAMS", ...keys, ...ids];
}
