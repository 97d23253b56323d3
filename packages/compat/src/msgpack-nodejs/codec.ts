import {
  type BytesInput,
  Decoder,
  type DecoderOptions,
  Encoder,
  type EncoderOptions,
  type ExtensionDefinition,
  Extensions,
} from "moonpack";
import { copyOwned, describe, invalidArgument, MAX_DEPTH_CEILING } from "moonpack/bytes";
import { extensionOptions } from "../extension-options.js";

/** The values that `encode` takes; objects include arrays, Maps, Dates, binary, and instances of registered classes. */
export type EncodableValue = string | number | bigint | boolean | null | object;

/** The values that `decode` returns, without extensions. A map is a plain object, or a Map if one of its keys is not a string. */
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

/** How the instances of a class are encoded. */
export interface CustomExtension<T> {
  /** An integer from 0 to 127. */
  type: number;
  /** The class. It applies to subclasses too, unless they are registered themselves. */
  objConstructor: abstract new (
    ...args: never[]
  ) => T;
  /** Encodes an instance; may call this module's `encode`. */
  encode(obj: T): Uint8Array;
  /** Decodes an instance; may keep the bytes, and may call this module's `decode`. */
  decode(bytes: Uint8Array<ArrayBuffer>): T;
}

/** `decode` of a definition. */
export type Decode = ExtensionDefinition<unknown>["decode"];

const definitions: ExtensionDefinition<unknown>[] = [];
const copies: { readonly copy: Extensions; readonly wrap: (decode: Decode) => Decode }[] = [];
// Created at the first use: an import allocates nothing.
let extensions: Extensions | undefined;
let encoder: Encoder | undefined;
let decoder: Decoder | undefined;
/** Largest sizes since the last reset, in bytes. */
const sizes = { allocated: 0, output: 0 };

function registry(): Extensions {
  return (extensions ??= new Extensions());
}

/** Options of this module's encoders. Lone surrogates become U+FFFD, as in the original. */
export function encoderOptions(): EncoderOptions {
  return { extensions: registry(), utf8: "replace", maxDepth: MAX_DEPTH_CEILING };
}

/** Options of this module's decoders. */
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
 * Encodes one value into new memory. Throws `EncodeError`, with code and path, for a value without a MessagePack form;
 * the message is never empty or corrupt.
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
 * Decodes bytes that hold exactly one value. Throws `DecodeError`, with code and offset, for invalid bytes; it never returns
 * `undefined` or a part of the value. Binary is copied: the result shares no memory with the input.
 *
 * @example
 * decode<{ schema: number }>(bytes).schema;
 */
export function decode<T = DecodeOutput>(bytes: BytesInput): T {
  return sharedDecoder().decode<T>(bytes);
}

/**
 * Registers a class for `encode`, `decode` and the streams of this module only. `ERR_INVALID_ARGUMENT` unless the type is an
 * integer from 0 to 127, for a type or class that is already registered, and for classes that MessagePack has a form for.
 */
export function registerExtension<T>(extension: CustomExtension<T>): void {
  const { type, objConstructor, encode: toBytes, decode: fromBytes } = extensionOptions(extension);
  for (const [name, member] of [
    ["encode", toBytes],
    ["decode", fromBytes],
  ] as const)
    if (typeof member !== "function") throw invalidArgument(`${name} must be a function, not ${describe(member)}`);
  const definition: ExtensionDefinition<T> = {
    type,
    class: objConstructor,
    encode: (value: T) => toBytes.call(extension, value),
    decode: (bytes) => fromBytes.call(extension, bytes),
  };
  registry().register(definition);
  definitions.push(definition as ExtensionDefinition<unknown>);
  for (const { copy, wrap } of copies)
    copy.register({ ...definition, decode: wrap(definition.decode) as typeof definition.decode });
}

/** Returns a set with the same classes, also those of later registrations, whose `decode` functions are the result of `wrap`. */
export function copyOfRegistry(wrap: (decode: Decode) => Decode): Extensions {
  const copy = new Extensions();
  for (const definition of definitions) copy.register({ ...definition, decode: wrap(definition.decode) });
  copies.push({ copy, wrap });
  return copy;
}

/** Counters of this module's encoder and decoder, for the statistics. */
export interface Counters {
  readonly encoded: ReturnType<Encoder["stats"]>;
  readonly decoded: ReturnType<Decoder["stats"]>;
  /** Largest buffer in bytes. */
  readonly allocated: number;
  /** Largest message in bytes. */
  readonly output: number;
}

/** Returns a copy of the counters. */
export function counters(): Counters {
  return { encoded: sharedEncoder().stats(), decoded: sharedDecoder().stats(), ...sizes };
}

/** Resets the largest sizes. The other counters only grow; callers subtract an earlier copy to reset them. */
export function resetSizes(): void {
  sizes.allocated = sizes.output = 0;
}
