/**
 * Protobuf: a Writer and a Reader for the code that protobuf.js and ts-proto generate, and for messages written by hand.
 *
 * @module
 */

export { attach, install, uninstall } from "./install/attach.js";
export type { OriginalClass, ProtobufJs } from "./install/library.js";
export {
  type Configuration,
  configure,
  type Int64Form,
  type Int64Input,
  type Int64Value,
  type LongConstructor,
  type LongLike,
} from "./int64.js";
export type { FieldReader, ReaderOptions } from "./reader/fields.js";
export { Reader } from "./reader/reader.js";
export type { FieldWriter, WriterOptions } from "./writer/fields.js";
export type { MessageMemory } from "./writer/memory.js";
export type { Nesting } from "./writer/nesting.js";
export { Writer } from "./writer/writer.js";
