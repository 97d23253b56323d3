/**
 * PCK: schemas, codecs, framed messages, containers and schema evolution. The format is docs/pck-format.md.
 *
 * @module
 */

export type { BytesInput } from "moonpack/bytes";
export { DecodeError, EncodeError, ERROR_CODES, type ErrorCode, MoonpackError } from "moonpack/bytes";
export { type Codec, codec, type FromJsonOptions } from "./codec.js";
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
export type { DocumentField, DocumentType, SchemaDocument } from "./document/document.js";
export { fingerprint } from "./document/fingerprint.js";
export { type Bundle, bundle, fromDocument, toDocument } from "./document/schemas.js";
export type { SchemaInput } from "./document/to-model.js";
export { compare, type Readable, type SchemaChange } from "./evolve/compare.js";
export { type ResolveOptions, type Resolver, resolve } from "./evolve/resolve.js";
export { decodeFramed, encodeFramed, type FramedOptions, type MessageDecoder } from "./framed.js";
export type { Field, FieldList, FlatFields, OmitFlag, StructIn, StructOut } from "./schema/field.js";
export * from "./schema/fields.js";
export type { Infer, InferInput, Typed } from "./schema/infer.js";
export * from "./schema/modifiers.js";
export { type AnySchema, Schema, schema } from "./schema/schema.js";
export * from "./schema/types.js";
export type { CodecOptions, EngineGenerator } from "./settings.js";
export {
  type StandardIssue,
  type StandardProps,
  type StandardResult,
  type StandardSchema,
  standard,
} from "./standard.js";
