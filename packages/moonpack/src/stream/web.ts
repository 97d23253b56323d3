import type { BytesInput } from "../bytes/input.js";
import { choiceOption, countOption, ownOption, ownOptions } from "../bytes/options.js";
import { codecOptions } from "../msgpack/codec-options.js";
import { type DecoderOptions, type EncoderOptions, encoderSettings } from "../msgpack/options.js";
import { EncoderState, encodeToSlab } from "../msgpack/results.js";
import type { MessageBatch } from "./batch.js";
import { StreamDecoder } from "./decoder.js";
import { type ChunkOptions, chunkSizeOption, owningBatch } from "./encode.js";
import { nextTurn } from "./next-turn.js";
import { errorOption } from "./on-error.js";
import { completeWriter } from "./shared-writer.js";
import { decodingPair, type TransformOutput, transformPair } from "./transform-pair.js";

/** Options of the Web {@link EncodeStream}. */
export interface EncodeStreamOptions extends EncoderOptions, ChunkOptions {
  /**
   * When to enqueue a chunk before it is full. `turn` (default): at the end of the turn of the event loop, with all values
   * that were written in it. `each`: after every value. `size`: never, except at the end.
   */
  readonly flush?: "turn" | "each" | "size";
  /**
   * The reaction when a piped value cannot be encoded. `throw` (default): the stream fails, as any WritableStream
   * whose sink throws. A function is called with the error and the value; nothing is written for the value and the stream
   * stays usable. An error that the function throws fails the stream.
   */
  readonly onError?: "throw" | ((error: unknown, value: unknown) => void);
}

/** Options of the Web {@link DecodeStream}. */
export interface DecodeStreamOptions extends DecoderOptions {
  /** The number of values queued for the reader before writes must wait. Default 16. */
  readonly highWaterMark?: number;
}

const EMPTY = /* @__PURE__ */ new Uint8Array(0);

/** A message in the queue of a stream; it was encoded when its value was written. */
class Message {
  readonly bytes: Uint8Array<ArrayBuffer>;
  constructor(bytes: Uint8Array<ArrayBuffer>) {
    this.bytes = bytes;
  }
}

/**
 * A transform stream from values to chunks of bytes: for `pipeThrough`, or for a writer.
 *
 * A writer's value is encoded during the call, so it may change after the write. If it cannot be encoded, only that `write` rejects,
 * with the `EncodeError`, and the stream stays usable. In a pipe such a value fails the pipe, as the Streams Standard requires,
 * unless `onError` handles it.
 *
 * @example
 * const { readable, writable } = new EncodeStream();
 * await fetch(url, { method: "POST", body: records.pipeThrough(new EncodeStream()), duplex: "half" });
 */
export class EncodeStream {
  /** The chunks of bytes. The reader owns them. */
  readonly readable: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Takes the values. */
  readonly writable: WritableStream<unknown>;

  /** `ERR_INVALID_ARGUMENT` for an invalid option. */
  constructor(options?: EncodeStreamOptions) {
    const held = ownOptions(options);
    const flush = choiceOption("flush", ownOption(held, "flush"), ["turn", "each", "size"]);
    const chunkSize = chunkSizeOption(held);
    // The batch encodes values from a pipe, the encoder values of a writer.
    const settings = encoderSettings(codecOptions(held, ["chunkSize", "flush", "onError"]));
    let encoder: EncoderState | null = new EncoderState(settings, completeWriter);
    const onError = errorOption<(error: unknown, value: unknown) => void>(held);
    let current: TransformOutput<Uint8Array<ArrayBuffer>> | null = null;
    let batch: MessageBatch | null = owningBatch(settings, chunkSize, (chunk) => current!.enqueue(chunk));
    let isFlushing = false;
    const flushLater = async (): Promise<void> => {
      isFlushing = true;
      await nextTurn();
      isFlushing = false;
      batch?.flush();
    };
    const { readable, writable } = transformPair<unknown, Uint8Array<ArrayBuffer>>(
      {
        write(value, output) {
          current = output;
          if (batch === null) return;
          if (value instanceof Message) batch.append(value.bytes);
          else addPiped(batch, value, onError);
          if (flush === "each") batch.flush();
          else if (flush === "turn" && !isFlushing) void flushLater();
          return output.ready() ?? undefined;
        },
        close(output) {
          current = output;
          batch?.flush();
          batch = encoder = null;
        },
        failed(output) {
          current = output;
          batch?.flush();
        },
        cancel() {
          batch = encoder = null;
        },
      },
      // After the end the stream itself rejects every write, with its own error.
      (sink) => encodingWritable(sink, (value) => new Message(encoder === null ? EMPTY : encodeToSlab(encoder, value))),
      1,
    );
    this.readable = readable;
    this.writable = writable;
  }
}

function addPiped(
  batch: MessageBatch,
  value: unknown,
  onError: ((error: unknown, value: unknown) => void) | null,
): void {
  try {
    batch.add(value);
  } catch (error) {
    if (onError === null) throw error;
    onError(error, value);
  }
}

/**
 * A WritableStream whose writers encode during the call, so that an invalid value rejects its write and does not fail the
 * stream.
 */
function encodingWritable(sink: UnderlyingSink<unknown>, encode: (value: unknown) => Message): WritableStream<unknown> {
  const stream = new WritableStream<unknown>(sink);
  const getWriter = stream.getWriter.bind(stream);
  stream.getWriter = () => {
    const writer = getWriter();
    const write = writer.write.bind(writer);
    writer.write = (value) => {
      let message: Message;
      try {
        message = encode(value);
      } catch (error) {
        return Promise.reject(error as Error);
      }
      return write(message);
    };
    return writer;
  };
  return stream;
}

/**
 * A transform stream from chunks of bytes to the values in them: for `pipeThrough`. Null is a value. A malformed byte, or an
 * end inside a message, fails both sides with a `DecodeError`, whose offset counts from the start of the stream.
 *
 * @example
 * const response = await fetch(url);
 * for await (const value of response.body.pipeThrough(new DecodeStream())) console.log(value);
 */
export class DecodeStream<T = unknown> {
  /** The values. It has an async iterator in every engine. */
  readonly readable: ReadableStream<T>;
  /** Takes the bytes. A chunk may be reused once its write is done, unless `binary` is `view`. */
  readonly writable: WritableStream<BytesInput>;

  /** `ERR_INVALID_ARGUMENT` for an invalid option. */
  constructor(options?: DecodeStreamOptions) {
    const held = ownOptions(options);
    const highWaterMark = countOption("highWaterMark", ownOption(held, "highWaterMark"), 16, 1, Infinity);
    const decoder = new StreamDecoder<T>(codecOptions(held, ["highWaterMark"]));
    const { readable, writable } = decodingPair<T>(decoder, highWaterMark);
    this.readable = readable;
    this.writable = writable;
  }
}
