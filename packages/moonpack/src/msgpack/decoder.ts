import { defaultGenerator } from "#codegen";
import { invalidArgument } from "../bytes/errors.js";
import { type BytesInput, toBytes } from "../bytes/input.js";
import { type DecoderOptions, type DecoderSettings, decoderSettings } from "./options.js";
import { type DecoderStats, MessageReader } from "./read.js";

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
  readonly #settings: DecoderSettings;
  readonly #reader: MessageReader;
  #busy = false;

  /** `ERR_INVALID_ARGUMENT` for an option that makes no sense; the options are read once and never changed. */
  constructor(options?: DecoderOptions) {
    this.#settings = decoderSettings(options, defaultGenerator);
    this.#reader = new MessageReader(this.#settings);
  }

  /**
   * Decodes the one value that the whole input is. Every failure is a `DecodeError` with code and offset:
   * `ERR_TRUNCATED`, `ERR_TRAILING_BYTES`, `ERR_INVALID_BYTE`, `ERR_INVALID_UTF8`, the limits, and those of the options.
   */
  decode<T = unknown>(input: BytesInput): T {
    // An extension may call back into us while we read: the nested message gets a reader of its own.
    if (this.#busy) return new MessageReader(this.#settings).readAll(input) as T;
    this.#busy = true;
    try {
      return this.#reader.readAll(input) as T;
    } finally {
      this.#busy = false;
    }
  }

  /** Decodes the value that begins at `offset`; what follows it is left alone. Errors as `decode`, offsets from the input's start. */
  decodeAt<T = unknown>(input: BytesInput, offset: number): DecodedAt<T> {
    const bytes = toBytes(input);
    if (!Number.isInteger(offset) || offset < 0 || offset > bytes.length) {
      throw invalidArgument(`offset must be an integer from 0 to ${bytes.length}`);
    }
    return this.#readAt<T>(bytes, viewOf(bytes), offset);
  }

  /**
   * Decodes the values that follow one another in the input, one at each step: a value before a broken one is
   * delivered before the error.
   */
  *decodeMulti<T = unknown>(input: BytesInput): Generator<T, void, undefined> {
    const bytes = toBytes(input);
    const view = viewOf(bytes);
    for (let offset = 0; offset < bytes.length; ) {
      const { value, end } = this.#readAt<T>(bytes, view, offset);
      yield value;
      offset = end;
    }
  }

  #readAt<T>(bytes: Uint8Array<ArrayBuffer>, view: DataView<ArrayBuffer>, offset: number): DecodedAt<T> {
    const nested = this.#busy;
    const reader = nested ? new MessageReader(this.#settings) : this.#reader;
    this.#busy = true;
    try {
      const value = reader.readAt(bytes, view, offset) as T;
      return { value, end: reader.pos };
    } finally {
      this.#busy = nested;
    }
  }

  /** Counters of the work done so far, nested messages excepted. */
  stats(): DecoderStats {
    return this.#reader.stats();
  }
}

function viewOf(bytes: Uint8Array<ArrayBuffer>): DataView<ArrayBuffer> {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}

// Made at its first use: importing the package allocates nothing.
let shared: Decoder | undefined;

function decoderFor(options: DecoderOptions | undefined): Decoder {
  if (options !== undefined) return new Decoder(options);
  return (shared ??= new Decoder());
}

/**
 * Decodes one MessagePack value. With options it sets up a decoder for the one call (about 10 us): keep a
 * {@link Decoder} where that counts.
 *
 * @example
 * decode<{ id: number }>(new Uint8Array([0x81, 0xa2, 0x69, 0x64, 7])); // { id: 7 }
 */
export function decode<T = unknown>(input: BytesInput, options?: DecoderOptions): T {
  return decoderFor(options).decode<T>(input);
}

/** Decodes the value at `offset`; see {@link Decoder.decodeAt}. */
export function decodeAt<T = unknown>(input: BytesInput, offset: number, options?: DecoderOptions): DecodedAt<T> {
  return decoderFor(options).decodeAt<T>(input, offset);
}

/** Decodes values that follow one another; see {@link Decoder.decodeMulti}. */
export function decodeMulti<T = unknown>(input: BytesInput, options?: DecoderOptions): Generator<T, void, undefined> {
  return decoderFor(options).decodeMulti<T>(input);
}
