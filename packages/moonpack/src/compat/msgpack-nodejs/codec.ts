import type { BytesInput } from "../../bytes/input.js";
import { MAX_DEPTH_CEILING } from "../../bytes/limits.js";
import { copyOwned } from "../../bytes/slab.js";
import { Decoder } from "../../msgpack/decoder.js";
import { Encoder } from "../../msgpack/encoder.js";
import { Extensions } from "../../msgpack/extensions.js";
import type { DecoderOptions, EncoderOptions } from "../../msgpack/options.js";

/** What `encode` takes: also instances of registered classes, arrays, Maps, Dates, and binary of any kind. */
export type EncodableValue = string | number | bigint | boolean | null | object;

/** What `decode` answers without extensions. A map is a plain object, or a Map when one of its keys is no string. */
export type DecodeOutput =
  | string
  | number
  | bigint
  | boolean
  | null
  | Date
  | Uint8Array<ArrayBuffer>
  | DecodeOutput[]
  | Map<DecodeOutput, DecodeOutput>
  | { [key: string]: DecodeOutput };

/** How instances of one class travel. */
export interface CustomExtension<T> {
  /** An integer from 0 to 127. */
  type: number;
  /** The class; instances of its subclasses are encoded by it too, unless they have their own. */
  objConstructor: abstract new (
    ...args: never[]
  ) => T;
  /** The instance's bytes; may call this module's `encode`. */
  encode(obj: T): Uint8Array;
  /** The instance of these bytes, which are its own to keep; may call this module's `decode`. */
  decode(bytes: Uint8Array<ArrayBuffer>): T;
}

// Made at their first use: importing allocates nothing.
let extensions: Extensions | undefined;
let encoder: Encoder | undefined;
let decoder: Decoder | undefined;
/** Sizes that only this module sees. */
const sizes = { allocated: 0, output: 0 };

function registry(): Extensions {
  return (extensions ??= new Extensions());
}

/** How this module encodes; lone surrogates become U+FFFD, as in the original. */
export function encoderOptions(): EncoderOptions {
  return { extensions: registry(), utf8: "replace", maxDepth: MAX_DEPTH_CEILING };
}

/** How this module decodes. */
export function decoderOptions(): DecoderOptions {
  return { extensions: registry(), utf8: "replace", timestamps: "date", maxDepth: MAX_DEPTH_CEILING };
}

function sharedEncoder(): Encoder {
  return (encoder ??= new Encoder(encoderOptions()));
}

function sharedDecoder(): Decoder {
  return (decoder ??= new Decoder(decoderOptions()));
}

/**
 * One value as MessagePack, in memory of its own, which nobody else writes to or keeps. What MessagePack cannot hold is
 * an `EncodeError` with code and path, never an empty or broken message.
 *
 * @example
 * encode({ compact: true, schema: 0 }); // 18 bytes
 */
export function encode(value: EncodableValue): Uint8Array<ArrayBuffer> {
  const shared = sharedEncoder().encodeShared(value);
  sizes.allocated = Math.max(sizes.allocated, shared.buffer.byteLength);
  sizes.output = Math.max(sizes.output, shared.length);
  return copyOwned(shared, 0, shared.length);
}

/**
 * The one value that the bytes are. Whatever is wrong with them is a `DecodeError` with code and offset, never
 * `undefined` or a part of the value. Binary is copied: nothing that comes out shares memory with the input.
 *
 * @example
 * decode<{ schema: number }>(bytes).schema;
 */
export function decode<T = DecodeOutput>(bytes: BytesInput): T {
  return sharedDecoder().decode<T>(bytes);
}

/**
 * Adds a class for this module's `encode` and `decode`; others do not see it. `ERR_INVALID_ARGUMENT` for a type that is
 * no integer from 0 to 127, a type or class that is taken, and classes that MessagePack has a form for.
 */
export function registerExtension<T>(extension: CustomExtension<T>): void {
  const { type, objConstructor, encode: toBytes, decode: fromBytes } = extension;
  registry().register({
    type,
    class: objConstructor,
    encode: (value: T) => toBytes.call(extension, value),
    decode: (bytes) => fromBytes.call(extension, bytes),
  });
}

/** Counters of the work that this module's encoder and decoder have done, for the statistics. */
export interface Work {
  readonly encoded: ReturnType<Encoder["stats"]>;
  readonly decoded: ReturnType<Decoder["stats"]>;
  /** Bytes of the largest buffer. */
  readonly allocated: number;
  /** Bytes of the largest message. */
  readonly output: number;
}

/** The counters as they are now; a copy. */
export function work(): Work {
  return { encoded: sharedEncoder().stats(), decoded: sharedDecoder().stats(), ...sizes };
}

/** Starts the largest sizes anew; the other counters only grow, whoever resets them remembers where they stood. */
export function forgetSizes(): void {
  sizes.allocated = sizes.output = 0;
}
