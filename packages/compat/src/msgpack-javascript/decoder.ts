import { DecodeError } from "./errors.js";
import { type DecoderInput, inputBytes, iterableOf, type ReadableStreamLike, viewOf } from "./input.js";
import {
  type CheckedDecoderOptions,
  checkDecoderOptions,
  type DecoderOptions,
  type SplitUndefined,
} from "./options.js";
import { PartsReader } from "./parts.js";
import { INCOMPLETE, ValueReader } from "./read.js";

/**
 * A reusable decoder of MessagePack. Options are read once. Calls are independent and may nest.
 *
 * @example
 * new Decoder({ useBigInt64: true }).decode([0xcf, 0, 0, 0, 0, 0, 0, 0, 1]); // 1n
 */
export class Decoder<ContextType = undefined> {
  readonly #settings: CheckedDecoderOptions;

  /** `ERR_INVALID_ARGUMENT` for an invalid option. */
  constructor(options?: DecoderOptions<ContextType>) {
    this.#settings = checkDecoderOptions(options);
  }

  /** Decodes an input that holds exactly one value. Binary is a view of the input. Throws {@link DecodeError} for invalid input. */
  decode(buffer: DecoderInput): unknown {
    const reader = readerOf(this.#settings, buffer);
    const value = reader.value();
    const { pos, end } = reader;
    if (pos === end) return value;
    throw extraBytes(end - pos, end, pos);
  }

  /** Decodes the values of an input, one after the other. */
  *decodeMulti(buffer: DecoderInput): Generator<unknown, void, unknown> {
    const reader = readerOf(this.#settings, buffer);
    while (reader.pos < reader.end) yield reader.value();
  }

  /**
   * Decodes a stream that holds exactly one value. Rejects with a {@link DecodeError} if the stream ends too early or bytes
   * follow the value; its offset counts in the stream, which is then cancelled. Binary is a copy, so chunks may be reused.
   */
  async decodeAsync(stream: ReadableStreamLike<DecoderInput>): Promise<unknown> {
    const reader = new PartsReader(this.#settings);
    let value: unknown = INCOMPLETE;
    for await (const chunk of iterableOf(stream)) {
      reader.push(chunk);
      if (value === INCOMPLETE) value = reader.value();
      if (value !== INCOMPLETE) checkNoneLeft(reader);
    }
    if (value === INCOMPLETE) throw reader.truncated(1);
    return value;
  }

  /**
   * Decodes a stream that holds exactly one array. Yields the elements as they arrive, and keeps none of them. Leaving the loop
   * cancels the stream. Errors as in {@link Decoder.decodeAsync}, after the elements before them.
   */
  decodeArrayStream(stream: ReadableStreamLike<DecoderInput>): AsyncGenerator<unknown, void, unknown> {
    return this.#elements(iterableOf(stream));
  }

  /** Decodes the values of a stream as they arrive; see {@link Decoder.decodeArrayStream}. */
  decodeStream(stream: ReadableStreamLike<DecoderInput>): AsyncGenerator<unknown, void, unknown> {
    return this.#values(iterableOf(stream));
  }

  async *#elements(chunks: AsyncIterable<DecoderInput>): AsyncGenerator<unknown, void, unknown> {
    const reader = new PartsReader(this.#settings);
    let left: number | typeof INCOMPLETE = INCOMPLETE;
    for await (const chunk of chunks) {
      reader.push(chunk);
      if (left === INCOMPLETE) left = reader.arrayLength();
      if (left === INCOMPLETE) continue;
      for (; left > 0; left--) {
        const value = reader.value();
        if (value === INCOMPLETE) break;
        yield value;
      }
      if (left === 0) checkNoneLeft(reader);
    }
    if (left !== 0) throw reader.truncated(left === INCOMPLETE ? 1 : left);
  }

  async *#values(chunks: AsyncIterable<DecoderInput>): AsyncGenerator<unknown, void, unknown> {
    const reader = new PartsReader(this.#settings);
    for await (const chunk of chunks) {
      reader.push(chunk);
      for (let value = reader.value(); value !== INCOMPLETE; value = reader.value()) yield value;
    }
    if (!reader.isBetween) throw reader.truncated(1);
  }
}

function readerOf(settings: CheckedDecoderOptions, input: DecoderInput): ValueReader {
  const bytes = inputBytes(input);
  const reader = new ValueReader(settings, false);
  reader.setInput(bytes, viewOf(bytes), 0, bytes.length, 0, false);
  return reader;
}

function extraBytes(count: number, size: number, offset: number): DecodeError {
  return new DecodeError(`Extra ${count} of ${size} byte(s) found at buffer[${offset}]`, "ERR_TRAILING_BYTES", offset);
}

function checkNoneLeft({ left, size, offset }: PartsReader): void {
  if (left > 0) throw extraBytes(left, size, offset);
}

// Created at the first use: an import allocates nothing.
let shared: Decoder | undefined;

function decoderFor<ContextType>(
  options: DecoderOptions<SplitUndefined<ContextType>> | undefined,
): Decoder<SplitUndefined<ContextType>> | Decoder {
  return options === undefined || options === null ? (shared ??= new Decoder()) : new Decoder(options);
}

/** Decodes an input that holds exactly one value; see {@link Decoder.decode}. */
export function decode<ContextType = undefined>(
  buffer: DecoderInput,
  options?: DecoderOptions<SplitUndefined<ContextType>>,
): unknown {
  return decoderFor<ContextType>(options).decode(buffer);
}

/** Decodes the values of an input, one after the other; see {@link Decoder.decodeMulti}. */
export function decodeMulti<ContextType = undefined>(
  buffer: DecoderInput,
  options?: DecoderOptions<SplitUndefined<ContextType>>,
): Generator<unknown, void, unknown> {
  return decoderFor<ContextType>(options).decodeMulti(buffer);
}

/** Decodes a stream that holds exactly one value; see {@link Decoder.decodeAsync}. */
export async function decodeAsync<ContextType = undefined>(
  streamLike: ReadableStreamLike<ArrayLike<number> | ArrayBufferView | ArrayBuffer>,
  options?: DecoderOptions<SplitUndefined<ContextType>>,
): Promise<unknown> {
  return decoderFor<ContextType>(options).decodeAsync(streamLike);
}

/** Decodes a stream that holds exactly one array, element by element; see {@link Decoder.decodeArrayStream}. */
export function decodeArrayStream<ContextType = undefined>(
  streamLike: ReadableStreamLike<ArrayLike<number> | ArrayBufferView | ArrayBuffer>,
  options?: DecoderOptions<SplitUndefined<ContextType>>,
): AsyncGenerator<unknown, void, unknown> {
  return decoderFor<ContextType>(options).decodeArrayStream(streamLike);
}

/** Decodes the values of a stream as they arrive; see {@link Decoder.decodeStream}. */
export function decodeMultiStream<ContextType = undefined>(
  streamLike: ReadableStreamLike<ArrayLike<number> | ArrayBufferView | ArrayBuffer>,
  options?: DecoderOptions<SplitUndefined<ContextType>>,
): AsyncGenerator<unknown, void, unknown> {
  return decoderFor<ContextType>(options).decodeStream(streamLike);
}
