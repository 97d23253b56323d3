import { DecodeError, invalidArgument, shifted } from "../bytes/errors.js";
import { FrameSplitter, type FrameSplitterOptions } from "../bytes/frame-splitter.js";
import { type FrameOptions, frameOf, frameSettings } from "../bytes/frames.js";
import type { BytesInput } from "../bytes/input.js";
import { ownOption } from "../bytes/options.js";
import { bare, decodingConduit } from "./conduit.js";
import { errorOption } from "./on-error.js";
import { type ByteSource, openSource, signalOption } from "./source.js";
import { type ChunkDecoder, Values } from "./values.js";

/** A frame that was read whole and whose content was refused. */
export interface BadFrame {
  /** Its payload. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Where in the stream that begins. */
  readonly offset: number;
}

/** Options of what reads frames from a stream. */
export interface FrameDecoderOptions<T = Uint8Array<ArrayBuffer>> extends FrameSplitterOptions {
  /** What a frame's payload means. Default: the payload itself. */
  readonly decode?: (frame: Uint8Array<ArrayBuffer>) => T;
  /**
   * What happens when `decode` throws: its length still says where the next frame begins. `throw` (default): the error ends
   * the stream. A function is told of it, the frame is left out and the stream goes on; what the function throws ends the
   * stream. Offsets of a `DecodeError` are of the stream in both cases. Errors of the framing itself always end the stream.
   */
  readonly onError?: "throw" | ((error: unknown, frame: BadFrame) => void);
}

/** Options of {@link decodeFrames}. */
export interface DecodeFramesOptions<T = Uint8Array<ArrayBuffer>> extends FrameDecoderOptions<T> {
  /** Ends the work with `ERR_ABORTED` (its reason is the `cause`) and cancels the source. */
  readonly signal?: AbortSignal;
}

/** Options of a {@link FrameEncoder}. */
export interface FrameEncoderOptions<T = BytesInput> extends FrameOptions {
  /** The payload for a chunk. Default: the chunk itself. */
  readonly encode?: (chunk: T) => BytesInput;
  /**
   * What happens to a chunk that `encode` throws for, or whose frame is `ERR_FRAME_TOO_LARGE`. `throw` (default): the stream
   * has failed, as any WritableStream whose sink throws. A function is told of it, nothing is written for the chunk and the
   * stream goes on; what the function throws ends the stream.
   */
  readonly onError?: "throw" | ((error: unknown, chunk: T) => void);
}

/**
 * The frames of a source, one after the other: payloads, or what `decode` makes of them. The source is read no faster than
 * you take frames; leaving the loop early, an error and the signal cancel it. A source that fails ends the loop with its own
 * error.
 *
 * `ERR_TRUNCATED` when it ends inside a frame, `ERR_FRAME_TOO_LARGE` above `maxFrameBytes`, before any of the frame is kept,
 * and a varint's errors; all at the frame's first byte in the whole stream.
 *
 * @example
 * for await (const user of decodeFrames(socket, { decode: readUser })) console.log(user.name);
 */
export function decodeFrames<T = Uint8Array<ArrayBuffer>>(
  source: ByteSource,
  options?: DecodeFramesOptions<T>,
): AsyncIterableIterator<T> {
  const signal = signalOption(options);
  const frames = new Frames<T>(options);
  return new Values(openSource(source, signal, ownOption(options, "frames") !== "view"), signal, frames);
}

/**
 * A transform of Web Streams from chunks of bytes to frames: payloads, or what `decode` makes of them. For `pipeThrough`,
 * and for `pipeline` of Node. Errors as {@link decodeFrames}; they fail both of its sides.
 *
 * @example
 * const messages = response.body.pipeThrough(new FrameDecoder({ prefix: "u32be", decode: (frame) => decode(frame) }));
 */
export class FrameDecoder<T = Uint8Array<ArrayBuffer>> {
  /** Frames come out here. */
  readonly readable: ReadableStream<T>;
  /** Bytes go in here. With `frames: "copy"` a chunk is yours again once its write is done. */
  readonly writable: WritableStream<BytesInput>;

  /** `ERR_INVALID_ARGUMENT` for an option that makes no sense. */
  constructor(options?: FrameDecoderOptions<T>) {
    const frames = new Frames<T>(options);
    const { readable, writable } = decodingConduit<T>(frames, 1);
    this.readable = readable;
    this.writable = writable;
  }
}

/**
 * A transform of Web Streams from payloads, or from what `encode` makes payloads of, to frames: each a chunk in memory of
 * its own. For `pipeThrough`, and for `pipeline` of Node.
 *
 * @example
 * records.pipeThrough(new FrameEncoder({ encode: (record) => encode(record) })).pipeTo(file);
 */
export class FrameEncoder<T = BytesInput> {
  /** Frames come out here. */
  readonly readable: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Payloads go in here; they are copied. */
  readonly writable: WritableStream<T>;

  /** `ERR_INVALID_ARGUMENT` for an option that makes no sense. */
  constructor(options?: FrameEncoderOptions<T>) {
    const settings = frameSettings(options);
    const encode = functionOption<(chunk: T) => BytesInput>("encode", ownOption(options, "encode"));
    const onError = errorOption<(error: unknown, chunk: T) => void>(options);
    const transform = (chunk: T, controller: TransformStreamDefaultController<Uint8Array<ArrayBuffer>>) => {
      let frame: Uint8Array<ArrayBuffer>;
      try {
        frame = frameOf(encode === null ? (chunk as BytesInput) : encode(chunk), settings);
      } catch (error) {
        if (onError === null) throw error;
        return onError(error, chunk);
      }
      controller.enqueue(frame);
    };
    const { readable, writable } = new TransformStream(bare<Transformer<T, Uint8Array<ArrayBuffer>>>({ transform }));
    this.readable = readable;
    this.writable = writable;
  }
}

/** A splitter with `decode` and `onError`. */
class Frames<T> implements ChunkDecoder<T> {
  readonly #splitter: FrameSplitter;
  readonly #decode: ((frame: Uint8Array<ArrayBuffer>) => T) | null;
  readonly #onError: ((error: unknown, frame: BadFrame) => void) | null;

  constructor(options: FrameDecoderOptions<T> | undefined) {
    this.#splitter = new FrameSplitter(options);
    this.#decode = functionOption("decode", ownOption(options, "decode"));
    this.#onError = errorOption(options);
  }

  push(chunk: BytesInput): this {
    this.#splitter.push(chunk);
    return this;
  }

  [Symbol.iterator](): Iterator<T> {
    return { next: () => this.#next() };
  }

  #next(): IteratorResult<T, undefined> {
    for (let bytes = this.#splitter.next(); bytes !== null; bytes = this.#splitter.next()) {
      if (this.#decode === null) return { done: false, value: bytes as T };
      const offset = this.#splitter.payloadAt;
      try {
        return { done: false, value: this.#decode(bytes) };
      } catch (error) {
        const failure = error instanceof DecodeError ? shifted(error, offset) : error;
        if (this.#onError === null) throw failure;
        this.#onError(failure, { bytes, offset });
      }
    }
    return { done: true, value: undefined };
  }

  get left(): number {
    return this.#splitter.left;
  }

  end(): void {
    this.#splitter.end();
  }
}

function functionOption<F>(name: string, value: unknown): F | null {
  if (value === undefined) return null;
  if (typeof value === "function") return value as F;
  throw invalidArgument(`${name} must be a function`);
}
