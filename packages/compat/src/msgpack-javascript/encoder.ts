import { copyOwned } from "moonpack/bytes";
import {
  type CheckedEncoderOptions,
  checkEncoderOptions,
  type EncoderOptions,
  type SplitUndefined,
} from "./options.js";
import { ValueWriter } from "./write.js";

/**
 * A reusable encoder of MessagePack, which keeps its memory between calls. Options are read once.
 *
 * @example
 * const encoder = new Encoder({ ignoreUndefined: true });
 * encoder.encode({ a: undefined }); // Uint8Array [128]
 */
export class Encoder<ContextType = undefined> {
  readonly #settings: CheckedEncoderOptions;
  readonly #writer: ValueWriter;
  #busy = false;

  /** `ERR_INVALID_ARGUMENT` for an invalid option. */
  constructor(options?: EncoderOptions<ContextType>) {
    this.#settings = checkEncoderOptions(options);
    this.#writer = new ValueWriter(this.#settings);
  }

  /** Encodes a value. Returns a view of this encoder's memory, valid until its next call. */
  encodeSharedRef(object: unknown): Uint8Array<ArrayBuffer> {
    return this.#write(object).written();
  }

  /** Encodes a value into new memory. Throws moonpack's `EncodeError`, with code and path. */
  encode(object: unknown): Uint8Array<ArrayBuffer> {
    const { bytes, pos } = this.#write(object);
    return copyOwned(bytes, 0, pos);
  }

  #write(object: unknown): ValueWriter {
    // A nested call, from an extension or a getter, uses separate memory.
    const nested = this.#busy;
    const writer = nested ? new ValueWriter(this.#settings) : this.#writer;
    this.#busy = true;
    try {
      writer.message(object);
      return writer;
    } finally {
      this.#busy = nested;
    }
  }
}

// Created at the first use: an import allocates nothing.
let shared: Encoder | undefined;

/** Encodes one value into new memory. With options, a new {@link Encoder} is created for the call. */
export function encode<ContextType = undefined>(
  value: unknown,
  options?: EncoderOptions<SplitUndefined<ContextType>>,
): Uint8Array<ArrayBuffer> {
  if (options !== undefined && options !== null) return new Encoder(options).encode(value);
  return (shared ??= new Encoder()).encode(value);
}
