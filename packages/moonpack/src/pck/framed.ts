/** Framed messages: a fingerprint, then a struct (docs/pck-format.md, "Framed message"). */
import { DecodeError, invalidArgument, MoonpackError, shifted } from "../bytes/errors.js";
import { type BytesInput, toBytes, truncated } from "../bytes/input.js";
import { ownOption } from "../bytes/options.js";
import { Codec } from "./codec/codec.js";
import { type CodecInput, codecOf } from "./codec-input.js";
import { areEqual, FINGERPRINT_BYTES } from "./container/head.js";
import { fingerprint } from "./fingerprint.js";
import { Schema } from "./schema/schema.js";

/** Reads messages: a codec, or what `resolve` answers. */
export interface MessageDecoder<Out> {
  /** The value of a whole message. */
  decode(input: BytesInput): Out;
}

/** Options of {@link decodeFramed}. */
export interface FramedOptions<Out> {
  /**
   * Finds a decoder for messages of another schema, by the fingerprint that it is given (a copy); undefined, or null, for one
   * that is not known. Keep the decoders: to make one takes longer than to read a message.
   */
  readonly resolver?: (fingerprint: Uint8Array<ArrayBuffer>) => MessageDecoder<Out> | null | undefined;
}

/** What one schema's framed messages are written and read with. */
interface Known {
  readonly codec: Codec<unknown, unknown>;
  readonly print: Uint8Array;
}

// What is known of schemas and codecs, which never change.
const known = /* @__PURE__ */ new WeakMap<object, Known>();

function knownOf(input: CodecInput): Known {
  const held = known.get(input);
  if (held !== undefined) return held;
  const made = codecOf(input);
  const result: Known = { codec: made as unknown as Codec<unknown, unknown>, print: fingerprint(made.schema) };
  // A document is its owner's to change.
  if (input instanceof Schema || input instanceof Codec) known.set(input, result);
  return result;
}

/**
 * The value's bytes behind the fingerprint of its schema, in memory of their own: for stores and queues where messages of
 * older schemas lie too.
 *
 * @example
 * encodeFramed(Player, { health: 100, jumping: true }); // 16 bytes
 */
export function encodeFramed<In>(schema: CodecInput<unknown, In>, value: In): Uint8Array<ArrayBuffer> {
  const { codec, print } = knownOf(schema as CodecInput);
  const message = codec.encodeShared(value);
  const framed = new Uint8Array(FINGERPRINT_BYTES + message.length);
  framed.set(print);
  framed.set(message, FINGERPRINT_BYTES);
  return framed;
}

/**
 * The value of a framed message. Of another schema's fingerprint: what the `resolver` finds for it reads the message; without
 * one it is `ERR_FINGERPRINT`. Every `DecodeError` has its offset in the whole.
 *
 * @example
 * const older = new Map([[text(fingerprint(PlayerV1)), resolve(PlayerV1, Player)]]);
 * decodeFramed(bytes, Player, { resolver: (print) => older.get(text(print)) });
 */
export function decodeFramed<Out>(input: BytesInput, schema: CodecInput<Out>, options?: FramedOptions<Out>): Out {
  const bytes = toBytes(input);
  const missing = FINGERPRINT_BYTES - bytes.length;
  if (missing > 0) throw truncated(0, missing);
  const { codec, print } = knownOf(schema);
  const given = new Uint8Array(bytes.subarray(0, FINGERPRINT_BYTES));
  const decoder = areEqual(print, given) ? codec : resolverOf(options)?.(given);
  if (decoder === undefined || decoder === null) {
    throw new DecodeError("ERR_FINGERPRINT", "a message of another schema, and no decoder for it", 0);
  }
  try {
    return decoder.decode(bytes.subarray(FINGERPRINT_BYTES)) as Out;
  } catch (error) {
    throw error instanceof MoonpackError ? shifted(error, FINGERPRINT_BYTES) : error;
  }
}

function resolverOf<Out>(options: FramedOptions<Out> | undefined): FramedOptions<Out>["resolver"] {
  const resolver = ownOption(options, "resolver");
  if (resolver === undefined || typeof resolver === "function") return resolver as FramedOptions<Out>["resolver"];
  throw invalidArgument("resolver must be a function");
}
