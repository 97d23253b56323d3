/**
 * A replacement for `@msgpack/msgpack` 3: the same names, options, bytes and results, on moonpack's engine. Only the import
 * changes. UPGRADING.md lists the few intended differences.
 *
 * @example
 * import { decode, encode } from "@moonpack/compat/msgpack-javascript";
 * decode(encode({ a: 1 })); // { a: 1 }
 *
 * @module
 */
export {
  Decoder,
  decode,
  decodeArrayStream,
  decodeAsync,
  decodeMulti,
  decodeMultiStream,
} from "./msgpack-javascript/decoder.js";
export { Encoder, encode } from "./msgpack-javascript/encoder.js";
export { DecodeError } from "./msgpack-javascript/errors.js";
export {
  ExtData,
  ExtensionCodec,
  type ExtensionCodecType,
  type ExtensionDecoderType,
  type ExtensionEncoderType,
} from "./msgpack-javascript/extensions.js";
export type { DecoderInput, ReadableStreamLike } from "./msgpack-javascript/input.js";
export type {
  ContextOf,
  DecoderOptions,
  EncoderOptions,
  KeyDecoder,
  SplitUndefined,
} from "./msgpack-javascript/options.js";
export {
  decodeTimestampExtension,
  decodeTimestampToTimeSpec,
  EXT_TIMESTAMP,
  encodeDateToTimeSpec,
  encodeTimeSpecToTimestamp,
  encodeTimestampExtension,
  type TimeSpec,
} from "./msgpack-javascript/timestamp.js";
