/** Detects the library of a client. */
import { invalidArgument } from "moonpack/bytes";
import type { BytesClient } from "./client.js";
import { type IoredisClient, ioredisClient } from "./ioredis.js";
import { type NodeRedisClient, nodeRedisClient } from "./node-redis.js";

/** A client of ioredis or node-redis. */
export type RedisClient = IoredisClient | NodeRedisClient;

/** Returns the client's commands, with bytes. Throws `ERR_INVALID_ARGUMENT` for anything but a client. */
export function bytesClient(client: unknown): BytesClient {
  if (typeof client !== "object" || client === null) throw invalidArgument("the first argument must be a client");
  const given = client as Readonly<Record<string, unknown>>;
  if (given.isPipeline === true || typeof given.execAsPipeline === "function")
    throw invalidArgument(
      "a pipeline or a transaction cannot be used: give it encode(value), and pass its results to decode",
    );
  if (typeof given.withTypeMapping === "function") return nodeRedisClient(client as NodeRedisClient);
  if (typeof given.callBuffer === "function") return ioredisClient(client as IoredisClient);
  const isOld = typeof given.sendCommand === "function" || typeof given.send_command === "function";
  const what = isOld ? "an older or unknown client: use ioredis 5 or 6, or node-redis 5 or 6" : "not a client of Redis";
  throw invalidArgument(`${what}. Pass the result of new Redis() of ioredis, or of createClient() of redis`);
}
