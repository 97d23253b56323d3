/**
 * The client: `fetch` with values in MessagePack or PCK. It runs in browsers, workers, Node, Deno and Bun.
 *
 * @module
 */
export { type MsgpackFormat, type MsgpackOptions, msgpack } from "../formats/msgpack.js";
export { type PckOptions, pck } from "../formats/pck.js";
export { type PckFormat, type PckMessages, pckOf } from "../formats/pck-format.js";
export type { Values } from "../streams/encode.js";
export { ResponseError } from "./errors.js";
export type { BodyFormat, FetchOptions } from "./send.js";
export { fetchStream } from "./stream.js";
export { type StreamBody, streamBody } from "./stream-body.js";
export { fetchValue } from "./value.js";
