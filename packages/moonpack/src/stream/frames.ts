import { DecodeError, invalidArgument, shifted } from "../bytes/errors.js";
import { FrameSplitter, type FrameSplitterOptions, SPLITTER_OPTIONS } from "../bytes/frame-splitter.js";
import { type FrameOptions, frameOf, frameSettings } from "../bytes/frames.js";
import type { BytesInput } from "../bytes/input.js";
import { asValueReader, optionsObject, ownOption, ownOptions, type ValueReader } from "../bytes/options.js";
import { refuseUnknown } from "../bytes/unknown-options.js";
import { optionsWithout } from "../msgpack/codec-options.js";
import { type ChunkDecoder, ValueIterator } from "./iterate.js";
import { errorOption } from "./on-error.js";
import { portable } from "./portable.js";
import { type ByteSource, openSource, signalOption } from "./source.js";
import { decodingPair, withoutPrototype } from "./transform-pair.js";

/** A complete frame whose payload `decode` has rejected. */
export interface BadFrame {
  /** The payload. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Offset of the payload in the stream. */
  readonly offset: number;
}

/** Options of {@link FrameDecoder}, and of {@link decodeFrames}. */
export interface FrameDecoderOptions<T = Uint8Array<ArrayBuffer>> extends FrameSplitterOptions {
  /**
   * Turns a payload into a result: a function, or an object with the method `decode`, such as a Picker or a codec. Default: the payload is
   * the result.
   */
  readonly decode?: ((frame: Uint8Array<ArrayBuffer>) => T) | ValueReader<T>;
  /**
   * The reaction when `decode` throws. `throw` (default): the error ends the stream. A function is called with the error and
   * the frame; the frame is skipped and reading continues with the next one, whose position is known from the length. An error
   * that the function throws ends the stream. In both cases the offset of a `DecodeError` counts from the start of the stream.
   * Errors of the framing itself always end the stream.
   */
  readonly undecodable?: "throw" | ((error: unknown, frame: BadFrame) => void);
}

/** Options of {@link decodeFrames}. */
export interface DecodeFramesOptions<T = Uint8Array<ArrayBuffer>> extends FrameDecoderOptions<T> {
  /** Ends the work with `ERR_ABORTED` (its reason is the `cause`) and cancels the source. */
  readonly signal?: AbortSignal;
}

/** Options of a {@link FrameEncoder}. */
export interface FrameEncoderOptions<T = BytesInput> extends FrameOptions {
  /** Turns a chunk into a payload. Default: the chunk is the payload. */
  readonly encode?: (chunk: T) => BytesInput;
  /**
   * The reaction when `encode` throws, or a frame is too large (`ERR_FRAME_TOO_LARGE`). `throw` (default): the stream fails,
   * as any WritableStream whose sink throws. A function is called with the error and the chunk; nothing is written for the
   * chunk and the stream stays usable. An error that the function throws fails the stream.
   */
  readonly onError?: "throw" | ((error: unknown, chunk: T) => void);
}

/**
 * Reads the frames of a source, one after the other. Yields the payloads, or what `decode` returns for them. The source is
 * read no faster than frames are taken. Leaving the loop early, an error and the signal cancel the source. An error of the
 * source ends the loop as it is.
 *
 * `ERR_TRUNCATED` if the source ends inside a frame; `ERR_FRAME_TOO_LARGE` above `maxFrameBytes`, before any of the frame is
 * kept; the errors of a varint for an invalid length. Their offset is the frame's first byte in the stream. A decoder in the place of the
 * options, such as a Picker, reads frames with the default options.
 *
 * @example
 * for await (const user of decodeFrames(socket, { decode: readUser })) console.log(user.name);
 * for await (const { id } of decodeFrames(socket, new Picker({ id: "/id" }))) console.log(id);
 */
export function decodeFrames<T = Uint8Array<ArrayBuffer>>(
  source: ByteSource,
  options?: DecodeFramesOptions<T>,
): AsyncIterableIterator<T> {
  const held = frameOptions(options);
  const signal = signalOption(held);
  const frames = new DecodedFrames<T>(held, "signal");
  return new ValueIterator(openSource(source, signal, held.frames !== "view"), signal, frames);
}

/** Returns a copy of the options. In their place there may be a decoder, which inherits the method `decode`; options own it. */
function frameOptions<T>(options: DecodeFramesOptions<T> | undefined): DecodeFramesOptions<T> {
  const given = ownOptions(options);
  const decode = given.decode === undefined ? asValueReader<T>(options) : undefined;
  return decode === undefined ? given : { decode };
}

/**
 * A transform stream from chunks of bytes to the payloads of frames, or to what `decode` returns for them. For `pipeThrough`,
 * and for `pipeline` of Node. Errors as in {@link decodeFrames}; they fail both sides.
 *
 * @example
 * const messages = response.body.pipeThrough(new FrameDecoder({ prefix: "u32be", decode: (frame) => decode(frame) }));
 */
export class FrameDecoder<T = Uint8Array<ArrayBuffer>> {
  /** The results. It has an async iterator in every engine. */
  readonly readable: ReadableStream<T>;
  /** Takes the bytes. With `frames: "copy"` a chunk may be reused once its write is done. */
  readonly writable: WritableStream<BytesInput>;

  /** `ERR_INVALID_ARGUMENT` for an invalid option. */
  constructor(options?: FrameDecoderOptions<T>) {
    const frames = new DecodedFrames<T>(frameOptions(options));
    const { readable, writable } = decodingPair<T>(frames, 1);
    this.readable = readable;
    this.writable = writable;
  }
}

/**
 * A transform stream from payloads, or from chunks that `encode` turns into payloads, to frames. Each frame is a chunk in
 * separate memory. For `pipeThrough`, and for `pipeline` of Node.
 *
 * @example
 * records.pipeThrough(new FrameEncoder({ encode: (record) => encode(record) })).pipeTo(file);
 */
export class FrameEncoder<T = BytesInput> {
  /** The frames. It has an async iterator in every engine. */
  readonly readable: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Takes the payloads, and copies them. */
  readonly writable: WritableStream<T>;

  /** `ERR_INVALID_ARGUMENT` for an invalid option. */
  constructor(options?: FrameEncoderOptions<T>) {
    const settings = frameSettings(options, ["encode", "onError"]);
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
    const { readable, writable } = new TransformStream(
      withoutPrototype<Transformer<T, Uint8Array<ArrayBuffer>>>({ transform }),
    );
    this.readable = portable(readable);
    this.writable = writable;
  }
}

/** Splits chunks into frames and applies `decode` and `undecodable`. */
class DecodedFrames<T> implements ChunkDecoder<T> {
  readonly #splitter: FrameSplitter;
  readonly #decode: ((frame: Uint8Array<ArrayBuffer>) => T) | null;
  readonly #undecodable: ((error: unknown, frame: BadFrame) => void) | null;

  constructor(options: FrameDecoderOptions<T> | undefined, ...more: readonly string[]) {
    const names = ["decode", "undecodable", ...more];
    if (options !== undefined) refuseUnknown(optionsObject(options), [...names, ...SPLITTER_OPTIONS]);
    this.#splitter = new FrameSplitter(optionsWithout(options, names));
    this.#decode = decodeOption(ownOption(options, "decode"));
    this.#undecodable = errorOption(options, "undecodable");
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
        this.#reject(error, { bytes, offset });
      }
    }
    return { done: true, value: undefined };
  }

  /** Passes the error of a frame to `undecodable`, or ends the stream with it. */
  #reject(error: unknown, frame: BadFrame): void {
    const failure = error instanceof DecodeError ? shifted(error, frame.offset) : error;
    try {
      if (this.#undecodable === null) throw failure;
      this.#undecodable(failure, frame);
    } catch (last) {
      // The error's stack may keep the splitter alive for as long as the error is referenced.
      this.#splitter.close();
      throw last;
    }
  }

  get left(): number {
    return this.#splitter.left;
  }

  end(): void {
    this.#splitter.end();
  }
}

function decodeOption<T>(value: unknown): ((frame: Uint8Array<ArrayBuffer>) => T) | null {
  const decoder = asValueReader<T>(value);
  return decoder === undefined ? functionOption("decode", value) : (frame) => decoder.decode(frame);
}

function functionOption<F>(name: string, value: unknown): F | null {
  if (value === undefined) return null;
  if (typeof value === "function") return value as F;
  throw invalidArgument(`${name} must be a function`);
}
