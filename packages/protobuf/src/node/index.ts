/**
 * The Writer with Buffers as results, as protobuf.js has them in Node.
 *
 * @example
 * import { BufferWriter } from "@moonpack/protobuf/node";
 * const bytes = new BufferWriter().uint32(8).string("Ada").finish(); // a Buffer
 *
 * @module
 */
export { BufferWriter } from "./buffer-writer.js";
