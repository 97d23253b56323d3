import { DecodeStream as NodeDecodeStream } from "../../node/decode-stream.js";
import { EncodeStream as NodeEncodeStream } from "../../node/encode-stream.js";
import type { StreamOptions } from "../../node/options.js";
import { type DecodeOutput, decoderOptions, encoderOptions } from "./codec.js";

export { NULL } from "../../node/null.js";

/**
 * A Transform in whose writable side values go, each a chunk of bytes of its own. Encodes as `encode` does, with the
 * classes of `registerExtension`. `null` may be written. A value that cannot be encoded fails its own write by the
 * callback, or by `error` where there is none; the stream stays usable, unlike the original's.
 *
 * @example
 * const stream = new EncodeStream();
 * stream.pipe(socket);
 * stream.write({ foo: "bar" });
 */
export class EncodeStream extends NodeEncodeStream {
  /** The options are those of any Node stream; the original has none. `ERR_INVALID_ARGUMENT` for one that makes no sense. */
  constructor(options?: StreamOptions) {
    super({ ...options, ...encoderOptions(), flush: "each" });
  }
}

/**
 * A Transform whose readable side gives the values of the bytes that are written, wherever their chunks are cut: the
 * original takes each chunk for one message. Decodes as `decode` does. nil comes as `NULL`, which the original drops.
 * Malformed bytes and a stream that ends inside a message are `error` with a `DecodeError`.
 *
 * @example
 * socket.pipe(new DecodeStream()).on("data", (value) => console.log(value));
 */
export class DecodeStream<T = DecodeOutput> extends NodeDecodeStream<T> {
  /** The options are those of any Node stream; the original has none. `ERR_INVALID_ARGUMENT` for one that makes no sense. */
  constructor(options?: StreamOptions) {
    super({ ...options, ...decoderOptions() });
  }
}
