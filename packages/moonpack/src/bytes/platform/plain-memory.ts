/** Memory in runtimes that have neither Buffers nor a guard of slabs: browsers, edge workers, unknown ones. */

/** Does nothing: a transfer of one result empties the others in its slab. */
export function guardSlab(_slab: ArrayBuffer): void {}

/** The bytes as they are: `binary: "buffer"` is `binary: "copy"`. */
export function asBuffer(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return bytes;
}
