/** The interface of serializations. */
import type { Client, SerializationConfig } from "hazelcast-client";
import type { DecoderOptions, EncoderOptions } from "moonpack/msgpack";
import type { Attached, AttachOptions } from "./attach/attach.js";
import type { StoredClass } from "./stored/stored.js";
import type { Undecoded } from "./undecoded.js";

/** MessagePack in a serialization. */
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
  readonly msgpack?: MsgpackOptions;
  /**
   * How objects are written that are of no class here: as MessagePack (default), or as JSON, as the client does by itself.
   * Both are read. For moving from JSON: deploy `"json"` everywhere, then the default.
   */
  readonly write?: "msgpack" | "json";
  /**
   * What reading a value does that cannot be decoded. `"throw"` (default): an {@link UndecodableError}. `"keep"`: the value
   * is an {@link Undecoded}. A function: the value is what it returns.
   */
  readonly undecodable?: "throw" | "keep" | ((value: Undecoded) => unknown);
  /** The client's other settings. A `globalSerializer` is `ERR_INVALID_ARGUMENT`. */
  readonly client?: SerializationConfig;
}

/** The `serialization` of a client's configuration. It may serve several clients. */
export interface MoonpackSerialization extends SerializationConfig {
  /**
   * Tries a value again, for instance when its schema has become known. Throws an {@link UndecodableError} again if it still
   * cannot be decoded, `ERR_INVALID_ARGUMENT` for a type id that is not of this serialization.
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
