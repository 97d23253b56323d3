import { describe, invalidArgument, isInstance } from "moonpack/bytes";
import { extensionOptions } from "../extension-options.js";
import { decodeTimestampExtension, EXT_TIMESTAMP, encodeTimestampExtension } from "./timestamp.js";

/** An extension value as on the wire. Decoders return it for types that are not registered. */
export class ExtData {
  /** Returns true for instances of every copy of moonpack in the process. */
  static [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: in a subclass, `this` is the subclass.
    return isInstance(this, value);
  }
  /** @internal */
  static get brand(): symbol {
    return Symbol.for("moonpack.ExtData");
  }
  /** -128 to 127. */
  readonly type: number;
  /** The bytes, or a function that returns them; it receives the offset in the message at which they will begin. */
  readonly data: Uint8Array | ((pos: number) => Uint8Array);
  constructor(type: number, data: Uint8Array | ((pos: number) => Uint8Array)) {
    this.type = type;
    this.data = data;
  }
}

/** Decodes the bytes of an extension: a view of a whole input, or a copy from a stream. */
export type ExtensionDecoderType<ContextType> = (
  data: Uint8Array,
  extensionType: number,
  context: ContextType,
) => unknown;

/** Encodes a value: returns its bytes or a function for them (see {@link ExtData}); null if the value belongs to another type. */
export type ExtensionEncoderType<ContextType> = (
  input: unknown,
  context: ContextType,
) => Uint8Array | ((dataPos: number) => Uint8Array) | null;

/** The members of an extension codec that encoders and decoders use. */
export type ExtensionCodecType<ContextType> = {
  /** Carries the context's type; never set. */
  __brand?: ContextType;
  /**
   * Returns the extension for a value, or null if it has none. Called for every object, array, function, symbol and (unless
   * `useBigInt64`) bigint.
   */
  tryToEncode(object: unknown, context: ContextType): ExtData | null;
  /** Decodes an extension. */
  decode(data: Uint8Array, extType: number, context: ContextType): unknown;
};

interface Registered<ContextType> {
  readonly type: number;
  readonly encode: ExtensionEncoderType<ContextType>;
}

/** A set of extensions by type. It contains timestamps from the start; registering type -1 replaces them. */
export class ExtensionCodec<ContextType = undefined> implements ExtensionCodecType<ContextType> {
  /** The codec of encoders and decoders without the option `extensionCodec`. */
  static readonly defaultCodec: ExtensionCodecType<undefined> = /* @__PURE__ */ new ExtensionCodec();
  declare __brand?: ContextType;
  /** In the order of the calls: types -1 to -128, then 0 to 127. */
  #encoders: Registered<ContextType>[] = [];
  readonly #decoders = new Map<number, ExtensionDecoderType<ContextType>>();

  constructor() {
    this.register({ type: EXT_TIMESTAMP, encode: encodeTimestampExtension, decode: decodeTimestampExtension });
  }

  /**
   * Adds or replaces a type. `ERR_INVALID_ARGUMENT` unless the type is an integer from -128 to 127 (others would wrap around
   * to another type), and for an `encode` or `decode` that is not a function.
   */
  register(extension: {
    type: number;
    encode: ExtensionEncoderType<ContextType>;
    decode: ExtensionDecoderType<ContextType>;
  }): void {
    const { type, encode, decode } = extensionOptions(extension);
    if (!Number.isInteger(type) || type < -128 || type > 127) {
      throw invalidArgument(`extension type must be an integer from -128 to 127, not ${describe(type)}`);
    }
    const others = this.#encoders.filter((entry) => entry.type !== type);
    // JavaScript callers may give one direction only, as in the original.
    this.#encoders =
      typeof encode === "function" ? [...others, { type, encode }].sort((a, b) => rank(a.type) - rank(b.type)) : others;
    if (typeof decode === "function") this.#decoders.set(type, decode);
    else this.#decoders.delete(type);
  }

  /** Calls each registered encoder in turn. An {@link ExtData} is returned as it is. */
  tryToEncode(object: unknown, context: ContextType): ExtData | null {
    for (const { type, encode } of this.#encoders) {
      const data = encode(object, context);
      if (data !== null && data !== undefined) return new ExtData(type, data);
    }
    // Not for plain objects: `instanceof` looks for the brand in every prototype.
    const prototype = typeof object === "object" && object !== null ? Object.getPrototypeOf(object) : null;
    return prototype !== Object.prototype && object instanceof ExtData ? object : null;
  }

  /** Calls the registered decoder; without one, returns an {@link ExtData}. */
  decode(data: Uint8Array, type: number, context: ContextType): unknown {
    const decode = this.#decoders.get(type);
    return decode === undefined ? new ExtData(type, data) : decode(data, type, context);
  }
}

function rank(type: number): number {
  return type < 0 ? -1 - type : 128 + type;
}
