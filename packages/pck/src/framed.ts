/** Framed messages: a fingerprint, then a struct (docs/pck-format.md, "Framed messages and containers"). */
import {
  type BytesInput,
  DecodeError,
  invalidArgument,
  MoonpackError,
  optionsObject,
  ownOption,
  refuseUnknown,
  shifted,
  toBytes,
  truncated,
} from "moonpack/bytes";
import { Codec } from "./codec.js";
import { type CodecInput, codecOf } from "./codec-input.js";
import { areEqual, FINGERPRINT_BYTES } from "./container/head.js";
import { fingerprint } from "./document/fingerprint.js";
import { Schema } from "./schema/schema.js";

/** Decodes messages: a codec, or the result of `resolve`. */
export interface MessageDecoder<Out> {
  /** Decodes a whole message. */
  decode(input: BytesInput): Out;
}

/** Options of {@link decodeFramed}. */
export interface FramedOptions<Out> {
  /**
   * Receives the fingerprint of another schema (a copy of its bytes). Returns the decoder of that schema; undefined or null if the
   * fingerprint is unknown. Keep the decoders: creating one takes longer than decoding a message.
   */
  readonly resolver?: (fingerprint: Uint8Array<ArrayBuffer>) => MessageDecoder<Out> | null | undefined;
}

/** A codec and the fingerprint of its schema. */
interface FramedCodec {
  readonly codec: Codec<unknown, unknown>;
  readonly print: Uint8Array;
}

// Kept for schemas and codecs, which never change.
const framedCodecs = /* @__PURE__ */ new WeakMap<object, FramedCodec>();

function framedCodecOf(input: CodecInput): FramedCodec {
  const known = framedCodecs.get(input);
  if (known !== undefined) return known;
  const made = codecOf(input);
  const result: FramedCodec = { codec: made as unknown as Codec<unknown, unknown>, print: fingerprint(made.schema) };
  // Not kept for a document: its owner may change it.
  if (input instanceof Schema || input instanceof Codec) framedCodecs.set(input, result);
  return result;
}

/**
 * Returns the fingerprint of the schema and the bytes of a value after it; the result owns its buffer. For files and
 * queues that also hold messages of older schemas.
 *
 * @example
 * encodeFramed(Player, { health: 100, jumping: true }); // 16 bytes
 */
export function encodeFramed<In>(schema: CodecInput<unknown, In>, value: In): Uint8Array<ArrayBuffer> {
  const { codec, print } = framedCodecOf(schema as CodecInput);
  const message = codec.encodeShared(value);
  const framed = new Uint8Array(FINGERPRINT_BYTES + message.length);
  framed.set(print);
  framed.set(message, FINGERPRINT_BYTES);
  return framed;
}

/**
 * Decodes a framed message. A message with the fingerprint of another schema is decoded by the decoder that `resolver`
 * returns; without one it is `ERR_FINGERPRINT`. Offsets of errors count from the start of the fingerprint.
 *
 * @example
 * const older = new Map([[text(fingerprint(PlayerV1)), resolve(PlayerV1, Player)]]);
 * decodeFramed(bytes, Player, { resolver: (print) => older.get(text(print)) });
 */
export function decodeFramed<Out>(input: BytesInput, schema: CodecInput<Out>, options?: FramedOptions<Out>): Out {
  // Checked for each message, so that a wrong option is found before the first message of another schema.
  const resolver = resolverOf(options);
  const { codec, print } = framedCodecOf(schema);
  const bytes = toBytes(input);
  const missing = FINGERPRINT_BYTES - bytes.length;
  if (missing > 0) throw truncated(0, missing);
  const given = new Uint8Array(bytes.subarray(0, FINGERPRINT_BYTES));
  const decoder = areEqual(print, given) ? codec : resolver?.(given);
  if (decoder === undefined || decoder === null) {
    throw new DecodeError("ERR_FINGERPRINT", "a message of another schema, without a decoder", 0);
  }
  try {
    return decoder.decode(bytes.subarray(FINGERPRINT_BYTES)) as Out;
  } catch (error) {
    throw error instanceof MoonpackError ? shifted(error, FINGERPRINT_BYTES) : error;
  }
}

function resolverOf<Out>(options: FramedOptions<Out> | undefined): FramedOptions<Out>["resolver"] {
  if (options === undefined) return undefined;
  refuseUnknown(optionsObject(options), ["resolver"]);
  const resolver = ownOption(options, "resolver");
  if (resolver === undefined || typeof resolver === "function") return resolver as FramedOptions<Out>["resolver"];
  throw invalidArgument("resolver must be a function");
}
