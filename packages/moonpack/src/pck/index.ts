/**
 * PCK: one schema, the smallest bytes, the fastest codec. The format is docs/pck-format.md.
 *
 * @module
 */
export { DecodeError, EncodeError, ERROR_CODES, type ErrorCode, MoonpackError } from "../bytes/errors.js";
export type { BytesInput } from "../bytes/input.js";
export { type Codec, codec } from "./codec/codec.js";
export type { CodecOptions } from "./codec/settings.js";
export type { CodecInput } from "./codec-input.js";
export { type Container, decodeContainer, encodeContainer } from "./container/container.js";
export type { ContainerHead } from "./container/head.js";
export type { ContainerOptions, ReadOptions } from "./container/options.js";
export { ContainerReader } from "./container/reader.js";
export { ContainerWriter } from "./container/writer.js";
export {
  type DiagnoseContainerOptions,
  type DiagnoseOptions,
  diagnose,
  diagnoseContainer,
} from "./diagnose/diagnose.js";
export type { Diagnosis } from "./diagnose/item.js";
export type { DocumentField, DocumentType, SchemaDocument } from "./document.js";
export { compare, type Readable, type SchemaChange } from "./evolve/compare.js";
export { type ResolveOptions, type Resolver, resolve } from "./evolve/resolve.js";
export { fingerprint } from "./fingerprint.js";
export { decodeFramed, encodeFramed, type FramedOptions, type MessageDecoder } from "./framed.js";
export type { Field, FieldList, FlatFields, OmitFlag, StructIn, StructOut } from "./schema/field.js";
export * from "./schema/fields.js";
export type { Infer, InferInput } from "./schema/infer.js";
export * from "./schema/modifiers.js";
export { type AnySchema, Schema, schema } from "./schema/schema.js";
export * from "./schema/types.js";
export { type Bundle, bundle, fromDocument, toDocument } from "./schemas.js";
export type { SchemaInput } from "./to-model.js";
