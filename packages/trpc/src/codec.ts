/** MessagePack as both ends use it. */
import { DecodeError, ownOptions } from "moonpack/bytes";
import { Decoder, type DecoderOptions, Encoder, type EncoderOptions } from "moonpack/msgpack";
import { js } from "moonpack/msgpack/fidelity";

/** Options of MessagePack. Both ends need the same `fidelity` and `extensions`. In pages `js` of `moonpack/msgpack/fidelity` is an import. */
export interface MsgpackOptions {
  /** Options of the encoder. `fidelity` is `js` unless it is set. */
  readonly encoder?: EncoderOptions;
  /** Options of the decoder: limits, `int64` .. `fidelity` is that of the encoder unless it is set. */
  readonly decoder?: Omit<DecoderOptions, "maps">;
}

/** Writes and reads values. */
export interface Codec {
  encode(value: unknown): Uint8Array<ArrayBuffer>;
  decode(bytes: Uint8Array): unknown;
  /** The value in base64, for places that hold only JSON. */
  toText(value: unknown): string;
  /** Throws a `DecodeError` for anything but the base64 of a value. */
  ofText(text: unknown): unknown;
}

/** MessagePack with these options. `ERR_INVALID_ARGUMENT` for an invalid one. */
export function codecOf(options: MsgpackOptions): Codec {
  const { encoder, decoder } = codecOptions(options);
  const encoders = new Encoder(encoder);
  const decoders = new Decoder(decoder);
  const decode = (bytes: Uint8Array): unknown => decoders.decode(bytes);
  return {
    encode: (value) => encoders.encode(value),
    decode,
    toText: (value) => toBase64(encoders.encode(value)),
    ofText: (text) => decode(fromBase64(text)),
  };
}

/** The options with the defaults of this package. */
export function codecOptions({ encoder, decoder }: MsgpackOptions): {
  readonly encoder: EncoderOptions;
  readonly decoder: DecoderOptions;
} {
  const { fidelity = js } = ownOptions(encoder, "encoder");
  return { encoder: { fidelity, ...encoder }, decoder: { fidelity, ...decoder, maps: "auto" } };
}

/** So many bytes are given to a function as arguments. */
const CHUNK = 8192;

/** Bytes in base64. */
export function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let i = 0; i < bytes.length; i += CHUNK) text += String.fromCharCode(...bytes.subarray(i, i + CHUNK));
  return btoa(text);
}

/** The bytes of base64. Throws a `DecodeError`. */
export function fromBase64(text: unknown): Uint8Array<ArrayBuffer> {
  if (typeof text !== "string") throw new DecodeError("ERR_INVALID_BYTE", "a value must be text in base64", 0);
  let units: string;
  try {
    units = atob(text);
  } catch (error) {
    throw new DecodeError("ERR_INVALID_BYTE", "text that is not base64", 0, 0, error);
  }
  // By a loop: Uint8Array.from makes a list of all characters first, 28 bytes each.
  const bytes = new Uint8Array(units.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = units.charCodeAt(i);
  return bytes;
}
