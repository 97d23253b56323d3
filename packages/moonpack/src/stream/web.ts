import type { BytesInput } from "../bytes/input.js";
import { choiceOption, countOption, ownOption } from "../bytes/options.js";
import { Encoder } from "../msgpack/encoder.js";
import { type DecoderOptions, type EncoderOptions, encoderSettings } from "../msgpack/options.js";
import { conduit, decodingConduit, type Outlet } from "./conduit.js";
import { StreamDecoder } from "./decoder.js";
import { chunkSizeOption, type GatherOptions, gatherChunks } from "./encode.js";
import type { Gather } from "./gather.js";
import { errorOption } from "./on-error.js";
import { nextTurn } from "./turn.js";

/** Options of the Web {@link EncodeStream}. */
export interface EncodeStreamOptions extends EncoderOptions, GatherOptions {
  /**
   * When a chunk goes out before it is full. `turn` (default): at the end of the turn of the event loop; what is written
   * in one turn goes out together. `each`: after every value. `size`: never, but at the end.
   */
  readonly flush?: "turn" | "each" | "size";
  /**
   * What happens when a value that is piped in cannot be encoded. `throw` (default): the stream has failed, as any
   * WritableStream whose sink throws. A function is told of it, nothing is written for the value and the stream goes on;
   * what the function throws ends the stream.
   */
  readonly onError?: "throw" | ((error: unknown, value: unknown) => void);
}

/** Options of the Web {@link DecodeStream}. */
export interface DecodeStreamOptions extends DecoderOptions {
  /** Values that may wait for the reader before writes have to. Default 16. */
  readonly highWaterMark?: number;
}

/** A message that was encoded when it was written, on its way through the stream's queue. */
class Message {
  readonly bytes: Uint8Array<ArrayBuffer>;
  constructor(bytes: Uint8Array<ArrayBuffer>) {
    this.bytes = bytes;
  }
}

/**
 * Takes values, gives chunks of bytes: for `pipeThrough`, or written to by hand.
 *
 * A value is encoded when it is written, so it may change afterwards. One that cannot be encoded rejects that `write` of a
 * writer alone, with its `EncodeError`; the stream goes on. Piped into it, such a value ends the pipe, as the standard has it,
 * unless `onError` takes it out.
 *
 * @example
 * const { readable, writable } = new EncodeStream();
 * await fetch(url, { method: "POST", body: records.pipeThrough(new EncodeStream()), duplex: "half" });
 */
export class EncodeStream {
  /** Chunks come out here; they are yours. */
  readonly readable: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Values go in here. */
  readonly writable: WritableStream<unknown>;

  /** `ERR_INVALID_ARGUMENT` for an option that makes no sense. */
  constructor(options?: EncodeStreamOptions) {
    const flush = choiceOption("flush", ownOption(options, "flush"), ["turn", "each", "size"]);
    const chunkSize = chunkSizeOption(options);
    const settings = encoderSettings(options);
    const encoder = new Encoder(options);
    const onError = errorOption<(error: unknown, value: unknown) => void>(options);
    let outlet: Outlet<Uint8Array<ArrayBuffer>> | null = null;
    let gather: Gather | null = gatherChunks(settings, chunkSize, (chunk) => outlet!.give(chunk));
    let isFlushing = false;
    const flushLater = async (): Promise<void> => {
      isFlushing = true;
      await nextTurn();
      isFlushing = false;
      gather?.flush();
    };
    const { readable, writable } = conduit<unknown, Uint8Array<ArrayBuffer>>(
      {
        write(value, out) {
          outlet = out;
          if (gather === null) return;
          if (value instanceof Message) gather.append(value.bytes);
          else addPiped(gather, value, onError);
          if (flush === "each") gather.flush();
          else if (flush === "turn" && !isFlushing) void flushLater();
          return out.room() ?? undefined;
        },
        close(out) {
          outlet = out;
          gather?.flush();
          gather = null;
        },
        failed(out) {
          outlet = out;
          gather?.flush();
        },
        stop() {
          gather = null;
        },
      },
      (sink) => new ValueWritable(sink, (value) => new Message(encoder.encode(value))),
      1,
    );
    this.readable = readable;
    this.writable = writable;
  }
}

function addPiped(gather: Gather, value: unknown, onError: ((error: unknown, value: unknown) => void) | null): void {
  try {
    gather.add(value);
  } catch (error) {
    if (onError === null) throw error;
    onError(error, value);
  }
}

/** A WritableStream whose writers encode at once: so that only the write of a bad value is rejected, not the stream. */
class ValueWritable extends WritableStream<unknown> {
  readonly #encode: (value: unknown) => Message;

  constructor(sink: UnderlyingSink<unknown>, encode: (value: unknown) => Message) {
    super(sink);
    this.#encode = encode;
  }

  override getWriter(): WritableStreamDefaultWriter<unknown> {
    const writer = super.getWriter();
    const write = writer.write.bind(writer);
    writer.write = (value) => {
      let message: Message;
      try {
        message = this.#encode(value);
      } catch (error) {
        return Promise.reject(error as Error);
      }
      return write(message);
    };
    return writer;
  }
}

/**
 * Takes chunks of bytes, gives the values in them: for `pipeThrough`. Null is a value. A malformed byte, or an end inside a
 * message, is a `DecodeError` of both sides, with its offset in the whole stream.
 *
 * @example
 * const response = await fetch(url);
 * for await (const value of response.body.pipeThrough(new DecodeStream())) console.log(value);
 */
export class DecodeStream<T = unknown> {
  /** Values come out here. */
  readonly readable: ReadableStream<T>;
  /** Bytes go in here; a chunk is yours again once its write is done, unless `binary` is `view`. */
  readonly writable: WritableStream<BytesInput>;

  /** `ERR_INVALID_ARGUMENT` for an option that makes no sense. */
  constructor(options?: DecodeStreamOptions) {
    const highWaterMark = countOption("highWaterMark", ownOption(options, "highWaterMark"), 16, 1, Infinity);
    const decoder = new StreamDecoder<T>(options);
    const { readable, writable } = decodingConduit<T>(decoder, highWaterMark);
    this.readable = readable;
    this.writable = writable;
  }
}
