import { describe, invalidArgument } from "../../bytes/errors.js";
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

/** What the functions that decode streams take: a Node Readable is an async iterable, the body of a Response a stream. */
export type ReadableStreamLike<T> = AsyncIterable<T> | ReadableStream<T>;

/**
 * The stream as an async iterable, whose loop tells it when nobody wants more. An iterable of chunks is taken too, as
 * `for await` does. `ERR_INVALID_ARGUMENT` for anything else.
 */
export function chunksOf<T>(stream: ReadableStreamLike<T>): AsyncIterable<T> {
  if (typeof stream === "object" && stream !== null) {
    if (Symbol.asyncIterator in stream || Symbol.iterator in stream) return stream as AsyncIterable<T>;
    if ("getReader" in stream) return fromReader(stream);
  }
  throw invalidArgument(`expected a ReadableStream or an async iterable of chunks, not ${describe(stream)}`);
}

/** For runtimes whose ReadableStream is no async iterable. */
async function* fromReader<T>(stream: ReadableStream<T>): AsyncGenerator<T, void, unknown> {
  const reader = stream.getReader();
  let isOver = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      isOver = done;
      if (done) return;
      yield value;
    }
  } finally {
    // Where reading has failed, this fails with the same error.
    if (!isOver) await reader.cancel();
    reader.releaseLock();
  }
}
