import { copyOwned } from "../../bytes/slab.js";
import { type EncoderOptions, type EncoderSettings, encoderSettings, type SplitUndefined } from "./options.js";
import { ValueWriter } from "./write.js";

/**
 * Encodes MessagePack, again and again, into memory that it keeps. Options are read once.
 *
 * @example
 * const encoder = new Encoder({ ignoreUndefined: true });
 * encoder.encode({ a: undefined }); // Uint8Array [128]
 */
export class Encoder<ContextType = undefined> {
  readonly #settings: EncoderSettings;
  readonly #writer: ValueWriter;
  #busy = false;

  /** `ERR_INVALID_ARGUMENT` for an option that makes no sense. */
  constructor(options?: EncoderOptions<ContextType>) {
    this.#settings = encoderSettings(options);
    this.#writer = new ValueWriter(this.#settings);
  }

  /** The value's bytes as a window on this encoder's memory: valid until its next call. */
  encodeSharedRef(object: unknown): Uint8Array<ArrayBuffer> {
    return this.#write(object).written();
  }

  /** The value's bytes in memory of their own. Failures are moonpack's `EncodeError`, with code and path. */
  encode(object: unknown): Uint8Array<ArrayBuffer> {
    const { bytes, pos } = this.#write(object);
    return copyOwned(bytes, 0, pos);
  }

  #write(object: unknown): ValueWriter {
    // An extension or a getter that encodes while we do gets memory of its own.
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

// Made at its first use: importing allocates nothing.
let shared: Encoder | undefined;

/** Encodes one value; in memory of its own. With options it sets up an {@link Encoder} for the one call. */
export function encode<ContextType = undefined>(
  value: unknown,
  options?: EncoderOptions<SplitUndefined<ContextType>>,
): Uint8Array<ArrayBuffer> {
  if (options !== undefined && options !== null) return new Encoder(options).encode(value);
  return (shared ??= new Encoder()).encode(value);
}
