export { type DecodeSourceOptions, decodeArrayStream, decodeAsync, decodeStream } from "./decode.js";
export { StreamDecoder } from "./decoder.js";
export type { ByteSource } from "./source.js";
