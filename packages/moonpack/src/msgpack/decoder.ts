import { createReader, defaultShapes } from "#runtime";
import { invalidArgument } from "../bytes/errors.js";
import { type BytesInput, toBytes } from "../bytes/input.js";
import { type DecoderOptions, decoderSettings } from "./options.js";
import { type BaseReader, viewOf } from "./read/base.js";
import { type DecoderStats, statsOf } from "./read/stats.js";

/** A value and its end, see {@link decodeAt}. */
export interface DecodedAt<T> {
  readonly value: T;
  /** Offset of the first byte after the value. */
  readonly end: number;
}

/**
 * Decodes MessagePack messages. It learns their keys and shapes, so keep one decoder for each kind of message. No data and no
 * error of one message affects the next one. Extensions may use the decoder that calls them.
 *
 * @example
 * const decoder = new Decoder({ maps: "map" });
 * decoder.decode(new Uint8Array([0x81, 1, 2])); // Map { 1 => 2 }
 */
export class Decoder {
  readonly #reader: BaseReader;

  /** Throws `ERR_INVALID_ARGUMENT` for an invalid option. The options are read once. */
  constructor(options?: DecoderOptions) {
    this.#reader = createReader(decoderSettings(options, defaultShapes));
  }

  /**
   * Decodes the one value that is the whole input. Invalid input throws a `DecodeError` with code and offset: `ERR_TRUNCATED`,
   * `ERR_TRAILING_BYTES`, `ERR_INVALID_BYTE`, `ERR_INVALID_UTF8`, `ERR_LIMIT_..`, and the codes that the options name.
   */
  decode<T = unknown>(input: BytesInput): T {
    return this.#reader.readAll(input) as T;
  }

  /** Decodes the value at `offset` and ignores later bytes. Errors as in `decode`; offsets count from the input's start. */
  decodeAt<T = unknown>(input: BytesInput, offset: number): DecodedAt<T> {
    return readAt<T>(this.#reader, input, offset);
  }

  /**
   * Decodes consecutive values, one at each step of the iterator: the values before an invalid one are returned before it
   * throws.
   */
  decodeMulti<T = unknown>(input: BytesInput): Generator<T, void, undefined> {
    return readMulti<T>(this.#reader, input);
  }

  /** Returns counters of the work done so far, without nested messages. */
  stats(): DecoderStats {
    return statsOf(this.#reader);
  }
}

function readAt<T>(reader: BaseReader, input: BytesInput, offset: number): DecodedAt<T> {
  const bytes = toBytes(input);
  if (!Number.isInteger(offset) || offset < 0 || offset > bytes.length) {
    throw invalidArgument(`offset must be an integer from 0 to ${bytes.length}`);
  }
  return next<T>(reader, bytes, viewOf(bytes), offset);
}

function* readMulti<T>(reader: BaseReader, input: BytesInput): Generator<T, void, undefined> {
  const bytes = toBytes(input);
  const view = viewOf(bytes);
  const size = bytes.length;
  for (let offset = 0; offset < size; ) {
    if (bytes.length !== size) throw invalidArgument("the input was detached between two values");
    const { value, end } = next<T>(reader, bytes, view, offset);
    yield value;
    offset = end;
  }
}

/** Decodes the value at `offset`, with another reader if this one is busy. */
function next<T>(
  reader: BaseReader,
  bytes: Uint8Array<ArrayBuffer>,
  view: DataView<ArrayBuffer>,
  offset: number,
): DecodedAt<T> {
  const idle = reader.idle();
  const value = idle.readAt(bytes, view, offset, bytes.length, false) as T;
  return { value, end: idle.pos };
}

// Created at its first use: importing the package allocates nothing.
let shared: BaseReader | undefined;

function readerFor(options: DecoderOptions | undefined): BaseReader {
  if (options === undefined && shared !== undefined) return shared;
  const reader = createReader(decoderSettings(options, defaultShapes));
  if (options === undefined) shared = reader;
  return reader;
}

/**
 * Decodes one MessagePack value; errors as {@link Decoder.decode}. With options it creates a decoder for this one call, which
 * takes about 10 us: keep a {@link Decoder} to avoid that.
 *
 * @example
 * decode<{ id: number }>(new Uint8Array([0x81, 0xa2, 0x69, 0x64, 7])); // { id: 7 }
 */
export function decode<T = unknown>(input: BytesInput, options?: DecoderOptions): T {
  return readerFor(options).readAll(input) as T;
}

/** Decodes the value at `offset`; see {@link Decoder.decodeAt}. */
export function decodeAt<T = unknown>(input: BytesInput, offset: number, options?: DecoderOptions): DecodedAt<T> {
  return readAt<T>(readerFor(options), input, offset);
}

/** Decodes consecutive values; see {@link Decoder.decodeMulti}. */
export function decodeMulti<T = unknown>(input: BytesInput, options?: DecoderOptions): Generator<T, void, undefined> {
  return readMulti<T>(readerFor(options), input);
}
