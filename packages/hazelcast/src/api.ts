/** The interface of serializations. */
import type { Client, SerializationConfig } from "hazelcast-client";
import type { DecoderOptions, EncoderOptions } from "moonpack/msgpack";
import type { Attached, AttachOptions } from "./attach/attach.js";
import type { StoredClass } from "./stored/stored.js";
import type { Undecoded } from "./undecoded.js";

/** Options for values that are stored as MessagePack. */
export interface MsgpackOptions {
  /** The type id of values. Default 28016. */
  readonly typeId?: number;
  /** The type id of {@link Packed} values. Default 28017. */
  readonly packedTypeId?: number;
  /** Options of the encoder: extensions, fidelity, limits. */
  readonly encoder?: EncoderOptions;
  /** Options of the decoder. */
  readonly decoder?: DecoderOptions;
}

/** Options of {@link moonpackSerialization}. */
export interface SerializationOptions {
  /** The classes whose instances are stored as PCK. */
  readonly stored?: readonly StoredClass[];
  /** Type ids and options of MessagePack. */
  readonly msgpack?: MsgpackOptions;
  /**
   * The format of objects whose class is not in `stored`: MessagePack (default), or JSON, the client's default. Both are always
   * readable. To move from JSON, deploy `"json"` everywhere first, then the default.
   */
  readonly write?: "msgpack" | "json";
  /**
   * Handling of values that cannot be decoded. `"throw"` (default) throws an {@link UndecodableError}. `"keep"` returns an
   * {@link Undecoded}. A function is called with the {@link Undecoded}, and its result is used as the value.
   */
  readonly undecodable?: "throw" | "keep" | ((value: Undecoded) => unknown);
  /** The client's other settings. A `globalSerializer` is `ERR_INVALID_ARGUMENT`. */
  readonly client?: SerializationConfig;
}

/** The `serialization` of a client's configuration. Several clients may share it. */
export interface MoonpackSerialization extends SerializationConfig {
  /**
   * Decodes a value again, for instance after its schema has become known. Throws an {@link UndecodableError} if it still
   * cannot be decoded, and `ERR_INVALID_ARGUMENT` for a type id that this serialization does not handle.
   */
  decode(value: Undecoded): unknown;
  /**
   * Publishes the schemas of the stored classes in a map of the cluster and learns the schemas that other programs publish
   * there, now and later.
   *
   * @throws MoonpackError `ERR_INVALID_ARGUMENT`; errors of the client
   */
  attach(client: Client, options?: AttachOptions): Promise<Attached>;
}
