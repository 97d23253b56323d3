/**
 * The byte engine of moonpack, for a format of your own: a growing writer, a checked reader, UTF-8, varints, zigzag, frames,
 * limits and errors. It imports no other part of moonpack.
 *
 * @module
 */
export { readUtf8, readUtf8Lossy, toWellFormed, utf8Length, writeUtf8 } from "#utf8";
export { GrowingBuffer, type GrowingMemory } from "./buffer.js";
export { checkContainerSize } from "./elements.js";
export {
  DecodeError,
  EncodeError,
  ERROR_CODES,
  type ErrorCode,
  MoonpackError,
  type PackageErrorCode,
} from "./errors.js";
export { FrameSplitter, type FrameSplitterOptions } from "./frame-splitter.js";
export {
  encodeFrame,
  type Frame,
  type FrameOptions,
  type FramePrefix,
  readFrame,
  readFrames,
  writeFrame,
} from "./frames.js";
export { type BytesInput, toBytes } from "./input.js";
export { type KeyFlood, keyFlood } from "./key-flood.js";
export {
  DEFAULT_MAX_DEPTH,
  DEFAULT_MAX_FRAME_BYTES,
  type Limits,
  MAX_DEPTH_CEILING,
  MAX_KEYS,
  MAX_LIST_ELEMENTS,
} from "./limits.js";
export { printable } from "./printable.js";
export { ByteReader } from "./reader.js";
export { copyOwned, Slab, type WriteTarget } from "./slab.js";
export { recordOf } from "./sparse.js";
export { putUvar32, putUvar64, uvar32Size, uvar64Size } from "./varint.js";
export { ByteWriter } from "./writer.js";
export { unzigzag32, unzigzag64High, unzigzag64Low, zigzag32, zigzag64High, zigzag64Low } from "./zigzag.js";
