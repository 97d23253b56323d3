import { describe, invalidArgument, toBytes } from "moonpack/bytes";
import { iterateWebStream, type ReadableWebStream } from "moonpack/stream";

/** The input of decoders: a whole input, or a chunk of a stream. */
export type DecoderInput = ArrayLike<number> | ArrayBufferView | ArrayBufferLike;

/** The bytes of an input, over the same memory if possible. `ERR_INVALID_ARGUMENT` for values that are not bytes. */
export function inputBytes(input: DecoderInput): Uint8Array<ArrayBuffer> {
  const isList = typeof input === "object" && input !== null && "length" in input && !ArrayBuffer.isView(input);
  return isList ? Uint8Array.from(input) : toBytes(input as ArrayBufferView | ArrayBufferLike);
}

/** A view over the bytes. */
export function viewOf(bytes: Uint8Array<ArrayBuffer>): DataView<ArrayBuffer> {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** The input of the stream functions: an async iterable (a Node Readable, say) or a Web stream (an object with `getReader()`). */
export type ReadableStreamLike<T> = AsyncIterable<T> | ReadableWebStream<T>;

/**
 * The stream as an iterable for `for await`; leaving that loop cancels the stream. A sync iterable of chunks is accepted too.
 * Throws `ERR_INVALID_ARGUMENT` for other values.
 */
export function iterableOf<T>(stream: ReadableStreamLike<T>): AsyncIterable<T> {
  if (typeof stream === "object" && stream !== null) {
    if ("getReader" in stream) return iterateWebStream(stream);
    if (Symbol.asyncIterator in stream || Symbol.iterator in stream) return stream as AsyncIterable<T>;
  }
  throw invalidArgument(`expected a ReadableStream or an async iterable of chunks, not ${describe(stream)}`);
}
