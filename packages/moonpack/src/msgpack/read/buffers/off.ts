/** `#buffers` in browsers, edge workers and unknown runtimes, which have no Buffer. */

/** The bytes as they are: `binary: "buffer"` is `binary: "copy"`. */
export function asBuffer(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return bytes;
}
