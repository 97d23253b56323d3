import { toBytes } from "../../bytes/input.js";

/** What decoders take, as a whole and as a chunk of a stream. */
export type DecoderInput = ArrayLike<number> | ArrayBufferView | ArrayBufferLike;

/** The input's bytes, over the same memory where that is possible; `ERR_INVALID_ARGUMENT` for what has none. */
export function inputBytes(input: DecoderInput): Uint8Array<ArrayBuffer> {
  const isList = typeof input === "object" && input !== null && "length" in input && !ArrayBuffer.isView(input);
  return isList ? Uint8Array.from(input) : toBytes(input as ArrayBufferView | ArrayBufferLike);
}

/** A view over the bytes. */
export function viewOf(bytes: Uint8Array<ArrayBuffer>): DataView<ArrayBuffer> {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}
