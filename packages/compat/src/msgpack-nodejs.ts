/**
 * A replacement for `msgpack-nodejs` 1: the names of its documentation, with the documented behaviour, on moonpack's engine.
 * UPGRADING.md lists the differences. In Node, Deno and Bun the same import also has `EncodeStream` and `DecodeStream`.
 *
 * @example
 * import { decode, encode } from "@moonpack/compat/msgpack-nodejs";
 * decode(encode({ a: 1 })); // { a: 1 }
 *
 * @module
 */
export {
  type CustomExtension,
  type DecodeOutput,
  decode,
  type EncodableValue,
  encode,
  registerExtension,
} from "./msgpack-nodejs/codec.js";
export {
  appliedOptions,
  applyOptions,
  type CacheOptions,
  type FullOptions,
  type Options,
  type StringOptions,
} from "./msgpack-nodejs/options.js";
export {
  bufferAllocatorStat,
  type CacheStat,
  lruCacheStat,
  prefixTrieStat,
  resetStat,
  stringBufferStat,
  type TrieStat,
} from "./msgpack-nodejs/stats.js";
