/**
 * The interface of `@bufbuild/protobuf/wire`, for code that ts-proto 2 generates and for messages written by hand; and sequences of
 * messages, each after its size.
 *
 * @module
 */
export { type PeekedSize, sizeDelimitedDecode, sizeDelimitedEncode, sizeDelimitedPeek } from "./delimited.js";
export { BinaryReader } from "./reader.js";
export { BinaryWriter, WireType } from "./writer.js";
