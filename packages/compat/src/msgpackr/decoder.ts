import { type BytesInput, DecodeError, grantElements, invalidArgument, isStackOverflow, toBytes } from "moonpack/bytes";
import { checkOptions, type DecoderOptions, type Settings } from "./options.js";
import { Reader } from "./read.js";
import { Structures } from "./structures.js";

/**
 * Decodes messages of msgpackr. With `sequential`, definitions hold for the later messages of the same decoder; otherwise calls are
 * independent.
 *
 * @example
 * new Decoder({ structures: [["id", "name"]] }).decode(bytes); // the bytes 40 07 a1 78: { id: 7, name: "x" }
 */
export class Decoder {
  readonly #settings: Settings;
  /** The definitions of a sequence. */
  readonly #sequence: Structures | undefined;

  /** Throws `ERR_INVALID_ARGUMENT` for an invalid option, and for structures that are not arrays of keys. */
  constructor(options?: DecoderOptions) {
    this.#settings = checkOptions(options);
    if (this.#settings.sequential) this.#sequence = new Structures(this.#settings.structures, true);
  }

  /**
   * Decodes the one value that is the whole input. Invalid input throws a `DecodeError` with code and offset, as moonpack's `decode`
   * does; an id without a structure is `ERR_UNKNOWN_INDEX`, what only `trusted` reads `ERR_UNSUPPORTED_TYPE`.
   */
  decode<T = unknown>(input: BytesInput): T {
    const bytes = toBytes(input);
    const reader = this.#reader(bytes);
    const value = this.#read(reader, 0);
    if (reader.pos === bytes.length) return value as T;
    const hint = reader.mayBeRecord
      ? ": the value may be a record, whose structures are missing"
      : bytes[0]! >> 5 === 1
        ? ": it may be a record of randomAccessStructure, which only msgpackr 1 and structon read"
        : "";
    throw new DecodeError("ERR_TRAILING_BYTES", `bytes after the value${hint}`, reader.pos);
  }

  /** Decodes consecutive messages, one at each step of the iterator; those before an invalid one are returned before it throws. */
  *decodeMulti<T = unknown>(input: BytesInput): Generator<T, void, undefined> {
    const bytes = toBytes(input);
    const size = bytes.length;
    for (let pos = 0; pos < size; ) {
      if (bytes.length !== size) throw invalidArgument("the input was detached between two values");
      const reader = this.#reader(bytes);
      yield this.#read(reader, pos) as T;
      pos = reader.pos;
    }
  }

  #reader(bytes: Uint8Array<ArrayBuffer>): Reader {
    return new Reader(this.#settings, this.#sequence ?? new Structures(this.#settings.structures, false), bytes);
  }

  #read(reader: Reader, start: number): unknown {
    const { maxBytes, maxElements } = this.#settings;
    const isLimited = reader.end - start > maxBytes;
    if (isLimited) reader.end = start + maxBytes;
    grantElements(reader, maxElements, reader.end - start);
    try {
      return reader.message(start);
    } catch (error) {
      if (isStackOverflow(error))
        throw new DecodeError("ERR_LIMIT_DEPTH", "the call stack is exhausted", reader.pos, 0, error);
      if (isLimited && error instanceof DecodeError && error.code === "ERR_TRUNCATED")
        throw new DecodeError("ERR_LIMIT_BYTES", `a message larger than maxBytes (${maxBytes})`, start);
      throw error;
    }
  }
}

/** Decodes one message of msgpackr; see {@link Decoder.decode}. Keep a {@link Decoder} for many messages. */
export function decode<T = unknown>(input: BytesInput, options?: DecoderOptions): T {
  return new Decoder(options).decode<T>(input);
}

/** Decodes consecutive messages of msgpackr; see {@link Decoder.decodeMulti}. */
export function decodeMulti<T = unknown>(input: BytesInput, options?: DecoderOptions): Generator<T, void, undefined> {
  return new Decoder(options).decodeMulti<T>(input);
}
