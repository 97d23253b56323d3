/**
 * MessagePack: reads every format of the specification, writes each value in its shortest form, and never loses data silently.
 *
 * @module
 */

export { type DecodedAt, Decoder, decode, decodeAt, decodeMulti } from "./decoder.js";
export { type DiagnoseOptions, type Diagnosis, diagnose } from "./diagnose.js";
export { Encoder, type EncoderStats, encode, encodeInto, encodeOwned, encodeShared } from "./encoder.js";
export type { Engine } from "./engine.js";
export { type Class, Extension, type ExtensionDefinition } from "./extension-table.js";
export { Extensions, registerExtension, unregisterExtension } from "./extensions.js";
export type { FidelityPreset } from "./fidelity/support.js";
export type { CodecOptions, DecoderOptions, EncoderOptions, Fidelity } from "./options.js";
export type { ShapeSupport } from "./read/settings.js";
export type { DecoderStats } from "./read/stats.js";
export { Timestamp } from "./timestamp.js";
