/**
 * MessagePack: the same as `moonpack/msgpack`, with the error classes.
 *
 * @module
 */
export { DecodeError, EncodeError, type ErrorCode, MoonpackError } from "./bytes/errors.js";
export type { BytesInput } from "./bytes/input.js";
export * from "./msgpack/index.js";
