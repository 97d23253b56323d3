/**
 * Protobuf: a Writer and a Reader that drop into protobuf.js's generated code, and for messages written by hand.
 *
 * @module
 */

export { attach, install, type ProtobufJs, uninstall } from "./attach.js";
export type { WriterOptions } from "./fields.js";
export {
  type Configuration,
  configure,
  type Int64Form,
  type Int64Input,
  type Int64Value,
  type LongConstructor,
  type LongLike,
} from "./int64.js";
export type { ReaderOptions } from "./read-fields.js";
export { Reader } from "./reader.js";
export { Writer } from "./writer.js";
