/** All supported clients, with the options that change the form of replies. */
import { Redis } from "ioredis";
import { Redis as Redis6 } from "ioredis-6";
import { createClient, createClientPool } from "redis";
import { createClient as createClient6 } from "redis-6";
import type { RedisClient } from "../../src/index.ts";

/** A client for tests. */
export interface TestClient {
  readonly client: RedisClient;
  /** Runs any command of text. */
  command(...args: string[]): Promise<unknown>;
  close(): Promise<void>;
}

function ofIoredis(client: Redis | Redis6): TestClient {
  return {
    client,
    command: (name, ...args) => client.call(name!, ...args),
    close: async () => void (await client.quit()),
  };
}

interface NodeRedis {
  on(event: "error", listener: (error: unknown) => void): unknown;
  connect(): Promise<unknown>;
  sendCommand(args: string[]): Promise<unknown>;
  close(): Promise<unknown> | undefined;
}

async function ofNodeRedis(client: RedisClient & NodeRedis): Promise<TestClient> {
  client.on("error", (error) => {
    throw error;
  });
  await client.connect();
  return {
    client,
    command: (...args) => client.sendCommand(args),
    close: async () => void (await client.close()),
  };
}

const host = "127.0.0.1";
const url = (port: number): string => `redis://${host}:${port}`;

/** Functions that make clients, by name. */
export const CLIENTS: Readonly<Record<string, (port: number) => Promise<TestClient>>> = {
  "ioredis 5": async (port) => ofIoredis(new Redis(port, host)),
  "ioredis 5, automatic pipelines": async (port) => ofIoredis(new Redis(port, host, { enableAutoPipelining: true })),
  "ioredis 5, numbers as text": async (port) => ofIoredis(new Redis(port, host, { stringNumbers: true })),
  "ioredis 6": async (port) => ofIoredis(new Redis6(port, host)),
  "ioredis 6, RESP3 maps": async (port) => ofIoredis(new Redis6(port, host, { protocol: 3, replyMapping: "resp3" })),
  "node-redis 5": (port) => ofNodeRedis(createClient({ url: url(port) })),
  "node-redis 5, RESP3": (port) => ofNodeRedis(createClient({ url: url(port), RESP: 3, unstableResp3: true } as never)),
  "node-redis 5, pool": (port) => ofNodeRedis(createClientPool({ url: url(port) }) as never),
  "node-redis 6": (port) => ofNodeRedis(createClient6({ url: url(port) })),
  "node-redis 6, RESP2": (port) => ofNodeRedis(createClient6({ url: url(port), RESP: 2 })),
};
