/** MessagePack as a format of bodies. */
import { ownOptions, refuseUnknown } from "moonpack/bytes";
import { Decoder, type DecoderOptions, decode, Encoder, type EncoderOptions, encode } from "moonpack/msgpack";

/** Options of {@link msgpack}. */
export interface MsgpackOptions {
  /** Options of the encoder: `extensions`, `fidelity`, `canonical` .. */
  readonly encoder?: EncoderOptions;
  /** Options of the decoder: `maxDepth`, `extensions`, `fidelity`, `int64`, `strict` .. */
  readonly decoder?: DecoderOptions;
}

/** A format of bodies: MessagePack with the options of {@link msgpack}. */
export interface MsgpackFormat<T = unknown> {
  /** Distinguishes formats. */
  readonly kind: "msgpack";
  /** The options of the encoder, as given to {@link msgpack}. */
  readonly encoderOptions: EncoderOptions | undefined;
  /** The options of the decoder, as given to {@link msgpack}. */
  readonly decoderOptions: DecoderOptions | undefined;
  /** Encodes a value. Throws an `EncodeError`. */
  encode(value: T): Uint8Array<ArrayBuffer>;
  /** Decodes a whole body. Throws a `DecodeError`. */
  decode(bytes: Uint8Array): T;
}

/**
 * Returns the MessagePack format with options: make it once, for many bodies. Without options it is not needed, since all functions
 * use MessagePack by default. Throws `ERR_INVALID_ARGUMENT` for an invalid option.
 *
 * @example
 * const exact = msgpack({ decoder: { int64: "bigint", strict: true } });
 */
export function msgpack<T = unknown>(options?: MsgpackOptions): MsgpackFormat<T> {
  const given = ownOptions(options);
  refuseUnknown(given, ["encoder", "decoder"]);
  const { encoder, decoder } = given;
  const encoders = encoder === undefined ? null : new Encoder(encoder);
  const decoders = decoder === undefined ? null : new Decoder(decoder);
  return {
    kind: "msgpack",
    encoderOptions: encoder,
    decoderOptions: decoder,
    encode: (value) => (encoders === null ? encode(value) : encoders.encode(value)),
    decode: (bytes) => (decoders === null ? decode(bytes) : decoders.decode(bytes)) as T,
  };
}
