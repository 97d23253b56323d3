/**
 * The byte engine of moonpack, for your own format: a growing writer, a checked reader, UTF-8, varints, zigzag, frames,
 * limits and errors. It imports no other part of moonpack.
 *
 * @module
 */
export { readAscii, readUtf8, readUtf8Lossy, toWellFormed, utf8Length, writeUtf8 } from "#platform";
export { type Branded, isInstance } from "./brand.js";
export { allocate, GrowingBuffer, GrowingMemory } from "./buffer.js";
export { type Duration, durationMs, durationOption } from "./duration.js";
export {
  checkContainerSize,
  ELEMENTS_RULE,
  type ElementBudget,
  FREE_ELEMENTS,
  grantElements,
  HEAVY_ELEMENTS,
  passElements,
  refillElements,
} from "./elements.js";
export {
  DecodeError,
  describe,
  EncodeError,
  ERROR_CODES,
  type ErrorCode,
  invalidArgument,
  MoonpackError,
  nested,
  type PackageErrorCode,
  pathStep,
  shifted,
  textWithoutPlace,
} from "./errors.js";
export { Failure } from "./failure.js";
export { FrameSplitter, type FrameSplitterOptions } from "./frame-splitter.js";
export {
  appendFrame,
  encodeFrame,
  type Frame,
  type FrameOptions,
  type FramePrefix,
  frameSettings,
  frameTooLarge,
  readFrame,
  readFrames,
  writeFrame,
} from "./frames.js";
export { type BytesInput, lengthOf, toBytes, truncated, viewOfBytes } from "./input.js";
export { isoTime } from "./iso-time.js";
export { idleAfter, KEPT_IN_USE_BYTES } from "./kept-memory.js";
export { COLLIDING_KEYS, type KeyFlood, keyFlood } from "./key-flood.js";
export { leastBytes } from "./least-bytes.js";
export {
  DEFAULT_MAX_DEPTH,
  DEFAULT_MAX_FRAME_BYTES,
  DEPTH_RULE,
  isStackOverflow,
  type Limits,
  MAX_DEPTH_CEILING,
  MAX_KEYS,
  MAX_LIST_ELEMENTS,
} from "./limits.js";
export {
  asValueReader,
  choiceOption,
  countOption,
  flagOption,
  type OptionRule,
  optionsObject,
  own,
  ownOption,
  ownOptions,
  readOptions,
  type ValueReader,
} from "./options.js";
export { printable } from "./printable.js";
export { ByteReader } from "./reader.js";
export { SharedViews } from "./shared-views.js";
export { copyOwned, copyWords, Slab, type WriteTarget } from "./slab.js";
export { indexOf, isFarIndex, makeSparse, recordOf, setOwn } from "./sparse.js";
export { refuseSimilar, refuseUnknown, suggestion } from "./unknown-options.js";
export { isWellFormed } from "./utf8/common.js";
export { putUvar32, putUvar64, uvar32Size, uvar64Size } from "./varint.js";
export { ByteWriter } from "./writer.js";
export { unzigzag32, unzigzag64High, unzigzag64Low, zigzag32, zigzag64High, zigzag64Low } from "./zigzag.js";
