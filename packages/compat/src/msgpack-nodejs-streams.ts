/**
 * A replacement for `msgpack-nodejs` 1, as Node, Deno and Bun import it: the names of every runtime, and the streams.
 *
 * @example
 * import { DecodeStream, EncodeStream } from "@moonpack/compat/msgpack-nodejs";
 * new EncodeStream().pipe(new DecodeStream()).on("data", console.log);
 *
 * @module
 */

export { DecodeStream, EncodeStream, NULL } from "./msgpack-nodejs/streams.js";
export * from "./msgpack-nodejs.js";
