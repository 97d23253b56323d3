/**
 * MessagePack: every format of the specification, the shortest form of each value, nothing lost in silence.
 *
 * @module
 */
export { type DecodedAt, Decoder, type DecoderStats, decode, decodeAt, decodeMulti } from "./decoder.js";
export { type DiagnoseOptions, type Diagnosis, diagnose } from "./diagnose.js";
export { Encoder, type EncoderStats, encode, encodeInto, encodeOwned, encodeShared } from "./encoder.js";
export { type Class, Extension, type ExtensionDefinition } from "./extension-table.js";
export { Extensions, registerExtension, unregisterExtension } from "./extensions.js";
export type { FidelityPreset } from "./fidelity/support.js";
export type { DecoderOptions, EncoderOptions, Fidelity } from "./options.js";
export type { ShapeSupport } from "./shapes/support.js";
export { Timestamp } from "./timestamp.js";
