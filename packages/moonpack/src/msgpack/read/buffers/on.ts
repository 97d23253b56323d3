/** `#buffers` in Node, Deno and Bun. */
import { Buffer } from "node:buffer";

/** A Buffer over the same memory: the option `binary: "buffer"`. */
export function asBuffer({ buffer, byteOffset, length }: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return Buffer.from(buffer, byteOffset, length);
}
