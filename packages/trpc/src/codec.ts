/** The MessagePack codec of clients and servers. */
import { DecodeError, invalidArgument, ownOptions } from "moonpack/bytes";
import { Decoder, type DecoderOptions, Encoder, type EncoderOptions } from "moonpack/msgpack";
import { js } from "moonpack/msgpack/features";

/**
 * Options of MessagePack. Both ends need the same `fidelity` and `extensions`. The name `fidelity: "js"` is refused in browsers and edge
 * workers: pass the preset `js` of `moonpack/msgpack/features`, or omit it.
 */
export interface MsgpackOptions {
  /** Options of the encoder. Default of `fidelity`: `js`. */
  readonly encoder?: EncoderOptions;
  /** Options of the decoder, such as limits and `int64`, but not `maps`. Default of `fidelity`: that of the encoder. */
  readonly decoder?: Omit<DecoderOptions, "maps">;
}

/** Writes and reads values. */
export interface Codec {
  encode(value: unknown): Uint8Array<ArrayBuffer>;
  decode(bytes: Uint8Array): unknown;
  /** Returns the value in base64, for JSON. */
  toText(value: unknown): string;
  /** Returns the value of base64. Throws a `DecodeError`. */
  ofText(text: unknown): unknown;
}

/** The names of {@link MsgpackOptions}. */
export const MSGPACK_NAMES: readonly (keyof MsgpackOptions)[] = ["encoder", "decoder"];

/** Returns the codec with these options. Throws `ERR_INVALID_ARGUMENT` for an invalid one. */
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

/** Returns copies of the options with the defaults of this package. */
export function codecOptions({ encoder, decoder }: MsgpackOptions): {
  readonly encoder: EncoderOptions;
  readonly decoder: DecoderOptions;
} {
  const write: EncoderOptions = ownOptions(encoder, "encoder");
  const read: DecoderOptions = ownOptions(decoder as DecoderOptions | undefined, "decoder");
  if (read.maps !== undefined) throw invalidArgument("decoder.maps cannot be set: maps are read as objects or Maps");
  const { fidelity = js } = write;
  return { encoder: { fidelity, ...write }, decoder: { fidelity, ...read, maps: "auto" } };
}

/** Maximum number of arguments of one call of `String.fromCharCode`. */
const CHUNK = 8192;

/** Returns base64 of bytes. */
export function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let i = 0; i < bytes.length; i += CHUNK) text += String.fromCharCode(...bytes.subarray(i, i + CHUNK));
  return btoa(text);
}

/** Returns the bytes of base64. Throws a `DecodeError`. */
export function fromBase64(text: unknown): Uint8Array<ArrayBuffer> {
  if (typeof text !== "string") throw new DecodeError("ERR_INVALID_BYTE", "a value must be text in base64", 0);
  let units: string;
  try {
    units = atob(text);
  } catch (error) {
    throw new DecodeError("ERR_INVALID_BYTE", "the text is not base64", 0, 0, error);
  }
  // A loop: Uint8Array.from first makes a list of all characters, 28 bytes each.
  const bytes = new Uint8Array(units.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = units.charCodeAt(i);
  return bytes;
}
