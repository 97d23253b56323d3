import { DecodeError } from "./errors.js";
import { chunksOf, type DecoderInput, inputBytes, type ReadableStreamLike, viewOf } from "./input.js";
import { type DecoderOptions, type DecoderSettings, decoderSettings, type SplitUndefined } from "./options.js";
import { CUT, PartsReader } from "./parts.js";
import { ValueReader } from "./read.js";

/**
 * Decodes MessagePack, again and again. Options are read once; calls know nothing of one another and may nest.
 *
 * @example
 * new Decoder({ useBigInt64: true }).decode([0xcf, 0, 0, 0, 0, 0, 0, 0, 1]); // 1n
 */
export class Decoder<ContextType = undefined> {
  readonly #settings: DecoderSettings;

  /** `ERR_INVALID_ARGUMENT` for an option that makes no sense. */
  constructor(options?: DecoderOptions<ContextType>) {
    this.#settings = decoderSettings(options);
  }

  /** The one value that the whole input is. Binary is a window on the input. Bad bytes are a {@link DecodeError}. */
  decode(buffer: DecoderInput): unknown {
    const reader = readerOf(this.#settings, buffer);
    const value = reader.value();
    const { pos, end } = reader;
    if (pos === end) return value;
    throw extraBytes(end - pos, end, pos);
  }

  /** The values that follow one another in the input, one at each step. */
  *decodeMulti(buffer: DecoderInput): Generator<unknown, void, unknown> {
    const reader = readerOf(this.#settings, buffer);
    while (reader.pos < reader.end) yield reader.value();
  }

  /**
   * The one value that the whole stream is. What ends too early, and what follows the value, is a {@link DecodeError}
   * with its offset in the stream; then the stream is cancelled. Binary is a copy: chunks are their owner's again.
   */
  async decodeAsync(stream: ReadableStreamLike<DecoderInput>): Promise<unknown> {
    const reader = new PartsReader(this.#settings);
    let value: unknown = CUT;
    for await (const chunk of chunksOf(stream)) {
      reader.push(chunk);
      if (value === CUT) value = reader.value();
      if (value !== CUT) noneLeft(reader);
    }
    if (value === CUT) throw reader.cutShort(1);
    return value;
  }

  /**
   * The elements of the one array that the stream is, as they come; nothing is kept of those before. Leaving the loop
   * cancels the stream. Errors as {@link Decoder.decodeAsync}, after the elements before them.
   */
  decodeArrayStream(stream: ReadableStreamLike<DecoderInput>): AsyncGenerator<unknown, void, unknown> {
    return this.#elements(chunksOf(stream));
  }

  /** The values that follow one another in the stream, as they come; see {@link Decoder.decodeArrayStream}. */
  decodeStream(stream: ReadableStreamLike<DecoderInput>): AsyncGenerator<unknown, void, unknown> {
    return this.#values(chunksOf(stream));
  }

  async *#elements(chunks: AsyncIterable<DecoderInput>): AsyncGenerator<unknown, void, unknown> {
    const reader = new PartsReader(this.#settings);
    let left: number | typeof CUT = CUT;
    for await (const chunk of chunks) {
      reader.push(chunk);
      if (left === CUT) left = reader.arrayLength();
      if (left === CUT) continue;
      for (; left > 0; left--) {
        const value = reader.value();
        if (value === CUT) break;
        yield value;
      }
      if (left === 0) noneLeft(reader);
    }
    if (left !== 0) throw reader.cutShort(left === CUT ? 1 : left);
  }

  async *#values(chunks: AsyncIterable<DecoderInput>): AsyncGenerator<unknown, void, unknown> {
    const reader = new PartsReader(this.#settings);
    for await (const chunk of chunks) {
      reader.push(chunk);
      for (let value = reader.value(); value !== CUT; value = reader.value()) yield value;
    }
    if (!reader.isBetween) throw reader.cutShort(1);
  }
}

function readerOf(settings: DecoderSettings, input: DecoderInput): ValueReader {
  const bytes = inputBytes(input);
  const reader = new ValueReader(settings, false);
  reader.look(bytes, viewOf(bytes), 0, bytes.length, 0, false);
  return reader;
}

function extraBytes(count: number, size: number, offset: number): DecodeError {
  return new DecodeError(`Extra ${count} of ${size} byte(s) found at buffer[${offset}]`, "ERR_TRAILING_BYTES", offset);
}

function noneLeft({ left, size, offset }: PartsReader): void {
  if (left > 0) throw extraBytes(left, size, offset);
}

// Made at its first use: importing allocates nothing.
let shared: Decoder | undefined;

function decoderFor<ContextType>(
  options: DecoderOptions<SplitUndefined<ContextType>> | undefined,
): Decoder<SplitUndefined<ContextType>> | Decoder {
  return options === undefined || options === null ? (shared ??= new Decoder()) : new Decoder(options);
}

/** Decodes the one value that the whole input is; see {@link Decoder.decode}. */
export function decode<ContextType = undefined>(
  buffer: DecoderInput,
  options?: DecoderOptions<SplitUndefined<ContextType>>,
): unknown {
  return decoderFor<ContextType>(options).decode(buffer);
}

/** Decodes values that follow one another; see {@link Decoder.decodeMulti}. */
export function decodeMulti<ContextType = undefined>(
  buffer: DecoderInput,
  options?: DecoderOptions<SplitUndefined<ContextType>>,
): Generator<unknown, void, unknown> {
  return decoderFor<ContextType>(options).decodeMulti(buffer);
}

/** Decodes the one value that a stream is; see {@link Decoder.decodeAsync}. */
export async function decodeAsync<ContextType = undefined>(
  streamLike: ReadableStreamLike<ArrayLike<number> | BufferSource>,
  options?: DecoderOptions<SplitUndefined<ContextType>>,
): Promise<unknown> {
  return decoderFor<ContextType>(options).decodeAsync(streamLike);
}

/** Decodes the one array that a stream is, element by element; see {@link Decoder.decodeArrayStream}. */
export function decodeArrayStream<ContextType = undefined>(
  streamLike: ReadableStreamLike<ArrayLike<number> | BufferSource>,
  options?: DecoderOptions<SplitUndefined<ContextType>>,
): AsyncGenerator<unknown, void, unknown> {
  return decoderFor<ContextType>(options).decodeArrayStream(streamLike);
}

/** Decodes values that follow one another in a stream; see {@link Decoder.decodeStream}. */
export function decodeMultiStream<ContextType = undefined>(
  streamLike: ReadableStreamLike<ArrayLike<number> | BufferSource>,
  options?: DecoderOptions<SplitUndefined<ContextType>>,
): AsyncGenerator<unknown, void, unknown> {
  return decoderFor<ContextType>(options).decodeStream(streamLike);
}
