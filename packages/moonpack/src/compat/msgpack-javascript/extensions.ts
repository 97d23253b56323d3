import { describe, invalidArgument } from "../../bytes/errors.js";
import { decodeTimestampExtension, EXT_TIMESTAMP, encodeTimestampExtension } from "./timestamp.js";

/** An extension value as it stands on the wire; what a decoder answers for types that nobody registered. */
export class ExtData {
  /** -128 to 127. */
  readonly type: number;
  /** The bytes, or a function that makes them once it is told at which byte of the message they will begin. */
  readonly data: Uint8Array | ((pos: number) => Uint8Array);
  constructor(type: number, data: Uint8Array | ((pos: number) => Uint8Array)) {
    this.type = type;
    this.data = data;
  }
}

/** Makes a value of an extension's bytes, which are a window on the message. */
export type ExtensionDecoderType<ContextType> = (
  data: Uint8Array,
  extensionType: number,
  context: ContextType,
) => unknown;

/** The bytes of a value, a function that makes them (see {@link ExtData}), or null when the value is not its own. */
export type ExtensionEncoderType<ContextType> = (
  input: unknown,
  context: ContextType,
) => Uint8Array | ((dataPos: number) => Uint8Array) | null;

/** What encoders and decoders need of an extension codec. */
export type ExtensionCodecType<ContextType> = {
  /** Carries the context's type; never set. */
  __brand?: ContextType;
  /**
   * The extension that a value travels as, or null. Asked for every object, array, function, symbol and (unless
   * `useBigInt64`) bigint.
   */
  tryToEncode(object: unknown, context: ContextType): ExtData | null;
  /** The value of an extension. */
  decode(data: Uint8Array, extType: number, context: ContextType): unknown;
};

interface Registered<ContextType> {
  readonly type: number;
  readonly encode: ExtensionEncoderType<ContextType>;
}

/** Extensions by type. Timestamps are there from the start; registering -1 replaces them. */
export class ExtensionCodec<ContextType = undefined> implements ExtensionCodecType<ContextType> {
  /** The codec of encoders and decoders that are given none. */
  static readonly defaultCodec: ExtensionCodecType<undefined> = new ExtensionCodec();
  declare __brand?: ContextType;
  /** In the order in which they are asked: -1 to -128, then 0 to 127. */
  #encoders: Registered<ContextType>[] = [];
  readonly #decoders = new Map<number, ExtensionDecoderType<ContextType>>();

  constructor() {
    this.register({ type: EXT_TIMESTAMP, encode: encodeTimestampExtension, decode: decodeTimestampExtension });
  }

  /**
   * Adds or replaces a type. `ERR_INVALID_ARGUMENT` unless it is an integer from -128 to 127: others would wrap to
   * another type.
   */
  register(extension: {
    type: number;
    encode: ExtensionEncoderType<ContextType>;
    decode: ExtensionDecoderType<ContextType>;
  }): void {
    const { type, encode, decode } = extension;
    if (!Number.isInteger(type) || type < -128 || type > 127) {
      throw invalidArgument(`extension type must be an integer from -128 to 127, not ${describe(type)}`);
    }
    const others = this.#encoders.filter((entry) => entry.type !== type);
    // Callers without types may give only one direction, as the original lets them.
    this.#encoders =
      typeof encode === "function" ? [...others, { type, encode }].sort((a, b) => rank(a.type) - rank(b.type)) : others;
    if (typeof decode === "function") this.#decoders.set(type, decode);
    else this.#decoders.delete(type);
  }

  /** Asks each registered encoder in turn; an {@link ExtData} stays what it is. */
  tryToEncode(object: unknown, context: ContextType): ExtData | null {
    for (const { type, encode } of this.#encoders) {
      const data = encode(object, context);
      if (data !== null && data !== undefined) return new ExtData(type, data);
    }
    return object instanceof ExtData ? object : null;
  }

  /** The registered decoder's value, or an {@link ExtData}. */
  decode(data: Uint8Array, type: number, context: ContextType): unknown {
    const decode = this.#decoders.get(type);
    return decode === undefined ? new ExtData(type, data) : decode(data, type, context);
  }
}

function rank(type: number): number {
  return type < 0 ? -1 - type : 128 + type;
}
