import { ownOptions, refuseUnknown } from "moonpack/bytes";
import { DecodeStream as NodeDecodeStream, EncodeStream as NodeEncodeStream, type StreamOptions } from "moonpack/node";
import { streamExtensions, withBuffers } from "./buffers.js";
import { type DecodeOutput, decoderOptions, encoderOptions } from "./codec.js";

export { NULL } from "moonpack/node";

/**
 * A Transform from values to MessagePack; each value becomes one chunk, a Buffer. It encodes as `encode` does, with the classes
 * of `registerExtension`, and takes `null`. If a value cannot be encoded, the callback of its write receives the error; without
 * a callback the error is an `error` event. The stream stays usable, unlike the original's.
 *
 * @example
 * const stream = new EncodeStream();
 * stream.pipe(socket);
 * stream.write({ foo: "bar" });
 */
export class EncodeStream extends NodeEncodeStream {
  /** Takes the options of every Node stream; the original has none. `ERR_INVALID_ARGUMENT` for an invalid option. */
  constructor(options?: StreamOptions) {
    super({ ...streamOptions(options), ...encoderOptions(), flush: "each" });
  }
}

/**
 * A Transform from bytes to values. Chunks may end anywhere; the original takes each chunk for one message. It decodes as
 * `decode` does, but binary is a Buffer, as in the original's stream; so are the bytes that the `decode` of an extension
 * receives. Both are copies. nil is `NULL`; the original drops it. Malformed bytes, and a stream that ends inside a message, are
 * an `error` event with a `DecodeError`.
 *
 * @example
 * socket.pipe(new DecodeStream()).on("data", (value) => console.log(value));
 */
export class DecodeStream<T = DecodeOutput> extends NodeDecodeStream<T> {
  /** Takes the options of every Node stream; the original has none. `ERR_INVALID_ARGUMENT` for an invalid option. */
  constructor(options?: StreamOptions) {
    super({ ...streamOptions(options), ...decoderOptions(), extensions: streamExtensions() });
  }

  /** Queues a decoded message for the reader: for Node. */
  override push(message: unknown, encoding?: BufferEncoding): boolean {
    return super.push(withBuffers(message), encoding);
  }
}

/** Returns the options of a Node stream. The others are fixed by this module: they are unknown options here. */
function streamOptions(options: StreamOptions | undefined): StreamOptions {
  const given = ownOptions(options);
  refuseUnknown(given, ["highWaterMark", "readableHighWaterMark", "writableHighWaterMark", "signal"]);
  return given;
}
