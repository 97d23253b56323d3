import { DecodeError } from "./errors.js";
import { type DecoderOptions, type DecoderSettings, decoderSettings, type SplitUndefined } from "./options.js";
import { type DecoderInput, ValueReader } from "./read.js";

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
    const reader = new ValueReader(this.#settings, buffer);
    const value = reader.value();
    const { pos, end } = reader;
    if (pos === end) return value;
    throw new DecodeError(`Extra ${end - pos} of ${end} byte(s) found at buffer[${pos}]`, "ERR_TRAILING_BYTES", pos);
  }

  /** The values that follow one another in the input, one at each step. */
  *decodeMulti(buffer: DecoderInput): Generator<unknown, void, unknown> {
    const reader = new ValueReader(this.#settings, buffer);
    while (reader.pos < reader.end) yield reader.value();
  }
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
