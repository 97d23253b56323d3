/**
 * MessagePack: every format of the specification, the shortest form of each value, nothing lost in silence.
 *
 * @module
 */
export type { CodeGenerator } from "./codegen/index.js";
export { type DecodedAt, Decoder, decode, decodeAt, decodeMulti } from "./decoder.js";
export { type DiagnoseOptions, type Diagnosis, diagnose } from "./diagnose.js";
export { Encoder, type EncoderStats, encode, encodeInto, encodeOwned, encodeShared } from "./encoder.js";
export {
  type Class,
  Extension,
  type ExtensionDefinition,
  Extensions,
  registerExtension,
  unregisterExtension,
} from "./extensions.js";
export type { DecoderOptions, EncoderOptions, Fidelity } from "./options.js";
export type { DecoderStats } from "./read.js";
export { Timestamp } from "./timestamp.js";
