import { defaultShapes } from "#shapes";
import { invalidArgument } from "../bytes/errors.js";
import { type BytesInput, toBytes } from "../bytes/input.js";
import { type DecoderOptions, decoderSettings } from "./options.js";
import { MessageReader, viewOf } from "./read.js";

/** Counters of real work, see `Decoder.stats`. */
export interface DecoderStats {
  /** Messages decoded without error. */
  readonly messages: number;
  /** Bytes of those messages. */
  readonly bytes: number;
  /** Values read: every message, array element and map value counts one. */
  readonly values: number;
  /** Map keys found in the key cache. */
  readonly keyHits: number;
  /** Map keys that had to be decoded as strings. */
  readonly keyMisses: number;
  /** Objects read by a generated reader. */
  readonly shapeHits: number;
  /** Objects that a generated reader gave up on half-way. */
  readonly shapeMisses: number;
  /** Readers generated. */
  readonly shapesCompiled: number;
}

/** A value and where it ends, see {@link decodeAt}. */
export interface DecodedAt<T> {
  readonly value: T;
  /** Offset of the first byte after the value. */
  readonly end: number;
}

/**
 * Decodes MessagePack, again and again: it learns the keys and shapes of what it reads, so keep one for a kind of
 * message. One message cannot leak into the next, nor an error; decoding may nest (an extension that decodes).
 *
 * @example
 * const decoder = new Decoder({ maps: "map" });
 * decoder.decode(new Uint8Array([0x81, 1, 2])); // Map { 1 => 2 }
 */
export class Decoder {
  readonly #reader: MessageReader;

  /** `ERR_INVALID_ARGUMENT` for an option that makes no sense; the options are read once and never changed. */
  constructor(options?: DecoderOptions) {
    this.#reader = new MessageReader(decoderSettings(options, defaultShapes));
  }

  /**
   * Decodes the one value that the whole input is. Every failure is a `DecodeError` with code and offset:
   * `ERR_TRUNCATED`, `ERR_TRAILING_BYTES`, `ERR_INVALID_BYTE`, `ERR_INVALID_UTF8`, the limits, and those of the options.
   */
  decode<T = unknown>(input: BytesInput): T {
    return this.#reader.readAll(input) as T;
  }

  /** Decodes the value that begins at `offset`; what follows it is left alone. Errors as `decode`, offsets from the input's start. */
  decodeAt<T = unknown>(input: BytesInput, offset: number): DecodedAt<T> {
    return readAt<T>(this.#reader, input, offset);
  }

  /**
   * Decodes the values that follow one another in the input, one at each step: a value before a broken one is
   * delivered before the error.
   */
  decodeMulti<T = unknown>(input: BytesInput): Generator<T, void, undefined> {
    return readMulti<T>(this.#reader, input);
  }

  /** Counters of the work done so far, nested messages excepted. */
  stats(): DecoderStats {
    return statsOf(this.#reader);
  }
}

/** The counters of a reader. */
export function statsOf({ messages, bytes, count, cache, shapes }: MessageReader): DecoderStats {
  return {
    messages,
    bytes,
    values: count,
    keyHits: cache.hits,
    keyMisses: cache.misses,
    shapeHits: shapes?.hits ?? 0,
    shapeMisses: shapes?.misses ?? 0,
    shapesCompiled: shapes?.compiled ?? 0,
  };
}

function readAt<T>(reader: MessageReader, input: BytesInput, offset: number): DecodedAt<T> {
  const bytes = toBytes(input);
  if (!Number.isInteger(offset) || offset < 0 || offset > bytes.length) {
    throw invalidArgument(`offset must be an integer from 0 to ${bytes.length}`);
  }
  return next<T>(reader, bytes, viewOf(bytes), offset);
}

function* readMulti<T>(reader: MessageReader, input: BytesInput): Generator<T, void, undefined> {
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

/** The value at `offset`, by a reader of its own where this one is at work on another. */
function next<T>(
  reader: MessageReader,
  bytes: Uint8Array<ArrayBuffer>,
  view: DataView<ArrayBuffer>,
  offset: number,
): DecodedAt<T> {
  const free = reader.free();
  const value = free.readAt(bytes, view, offset, bytes.length, false) as T;
  return { value, end: free.pos };
}

// Made at its first use: importing the package allocates nothing.
let shared: MessageReader | undefined;

function readerFor(options: DecoderOptions | undefined): MessageReader {
  if (options === undefined && shared !== undefined) return shared;
  const reader = new MessageReader(decoderSettings(options, defaultShapes));
  if (options === undefined) shared = reader;
  return reader;
}

/**
 * Decodes one MessagePack value. With options it sets up a decoder for the one call (about 10 us): keep a
 * {@link Decoder} where that counts.
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

/** Decodes values that follow one another; see {@link Decoder.decodeMulti}. */
export function decodeMulti<T = unknown>(input: BytesInput, options?: DecoderOptions): Generator<T, void, undefined> {
  return readMulti<T>(readerFor(options), input);
}
