/** Values in Redis as MessagePack or PCK, for ioredis and node-redis, and job data. */
export { DecodeError, EncodeError, MoonpackError } from "moonpack/bytes";
export type { RangeOptions, ReadOptions, SetOptions } from "./clients/client.js";
export type { RedisClient } from "./clients/detect.js";
export type { IoredisClient } from "./clients/ioredis.js";
export type { NodeRedisClient } from "./clients/node-redis.js";
export type { DistinctCodec, ValueCodec } from "./codecs/codec.js";
export { type FramedCodecOptions, framed } from "./codecs/framed.js";
export type { ValueOptions } from "./codecs/placed-codec.js";
export { REDIS_ERROR_CODES, RedisValueError, type ValuePlace } from "./errors.js";
export { type JobValues, jobValues, type PackedJob } from "./jobs.js";
export type { ErrorHandler, ValuesInput } from "./options.js";
export {
  type RedisValues,
  type RedisValuesOptions,
  redisValues,
  type StreamEntries,
  type StreamEntry,
} from "./values.js";
