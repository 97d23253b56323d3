/**
 * MessagePack with Node's streams and sockets. The other entries do not need Node.
 *
 * @example
 * import { DecodeStream } from "moonpack/node";
 * for await (const value of socket.pipe(new DecodeStream())) console.log(value);
 *
 * @module
 */
export { DecodeStream, type DecodeStreamOptions } from "./decode-stream.js";
export { EncodeStream, type EncodeStreamOptions, type WriteCallback } from "./encode-stream.js";
export { NULL } from "./null.js";
export type { StreamOptions } from "./options.js";
export { PipelinedWriter, type PipelinedWriterOptions, type PipelinedWriterStats } from "./pipelined-writer.js";
