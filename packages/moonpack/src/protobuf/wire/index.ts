/**
 * The face of `@bufbuild/protobuf/wire`, for code of ts-proto 2 and for messages written by hand; and messages one behind
 * the other, each with its length.
 *
 * @module
 */
export { type PeekedSize, sizeDelimitedDecode, sizeDelimitedEncode, sizeDelimitedPeek } from "./delimited.js";
export { BinaryReader } from "./reader.js";
export { BinaryWriter, WireType } from "./writer.js";
