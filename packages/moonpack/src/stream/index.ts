export {
  type CooperateOptions,
  type DecodeCooperativelyOptions,
  decodeCooperatively,
  type EncodeCooperativelyOptions,
  encodeCooperatively,
} from "./cooperate.js";
export {
  type DecodeSourceOptions,
  decodeArrayStream,
  decodeAsync,
  decodeStream,
  type PickerOf,
  type PickSourceOptions,
} from "./decode.js";
export { StreamDecoder } from "./decoder.js";
export {
  type ChunkBuilder,
  type ChunkOptions,
  chunkSizeOption,
  type EncodeSourceOptions,
  encodeChunks,
  encodeStream,
  type ValuesInput,
} from "./encode.js";
export {
  type BadFrame,
  type DecodeFramesOptions,
  decodeFrames,
  FrameDecoder,
  type FrameDecoderOptions,
  FrameEncoder,
  type FrameEncoderOptions,
} from "./frames.js";
export { type ChunkDecoder, ValueIterator } from "./iterate.js";
export type { ByteSource, ChunkSource } from "./source.js";
export { openSource, signalOption } from "./source.js";
export { DecodeStream, type DecodeStreamOptions, EncodeStream, type EncodeStreamOptions } from "./web.js";
export { iterateWebStream, type ReadableWebStream, type WebStreamReader } from "./web-streams.js";
