/** PCK as a format of bodies, from `pck` or `pckOf`. It does not load @moonpack/pck. */
import { invalidArgument, ownOptions } from "moonpack/bytes";
import { MSGPACK_TYPE, PCK_STREAM_TYPE, PCK_TYPE, pckType } from "../media-types.js";

/** A format of bodies: PCK with one schema. Returned by `pck` and {@link pckOf}. */
export interface PckFormat<Out = unknown, In = never> {
  /** Distinguishes formats. */
  readonly kind: "pck";
  /** The fingerprint of the schema for writing, in hexadecimal. */
  readonly fingerprint: string;
  /** Fingerprints of all schemas for reading; the first is `fingerprint`. */
  readonly fingerprints: readonly string[];
  /** Returns the media type of a body with one value, or of a stream. */
  type(isStream: boolean): string;
  /** Returns the header Accept of a client: its schema, then older ones, then MessagePack. */
  accept(isStream: boolean): string;
  /** Encodes a value. Throws an `EncodeError`. */
  encode(value: In): Uint8Array<ArrayBuffer>;
  /** Returns the decoder of bodies with this fingerprint, or undefined. */
  decoder(fingerprint: string | undefined): ((bytes: Uint8Array) => Out) | undefined;
  /** Returns the decoder of bodies with this Content-Type, or undefined. */
  decoderOf(contentType: string, isStream: boolean): ((bytes: Uint8Array) => Out) | undefined;
  /**
   * Checks a value of another format against the schema. Returns it as a decoder would: with defaults, without unknown properties.
   * Throws an `EncodeError` with a path.
   */
  check(value: unknown): Out;
  /** Returns the JSON form of a value: 64-bit integers and bytes as text. Without this function, values are written as plain JSON. */
  toJSON?(value: In): unknown;
  /** Returns the value of a JSON form. Throws an `EncodeError` with a path. Without this function, `check` is called. */
  fromJSON?(json: unknown): Out;
}

/** Throws `ERR_INVALID_ARGUMENT` for anything but a format of bodies or undefined. */
export function checkFormat(name: string, format: { readonly kind: string } | undefined): void {
  if (format !== undefined && format?.kind !== "pck" && format?.kind !== "msgpack")
    throw invalidArgument(`${name} must come from msgpack() or pck()`);
}

/** Functions that encode and decode messages of one schema, for example emitted code. */
export interface PckMessages<Out, In> {
  /** The fingerprint of the schema in hexadecimal, as `npx @moonpack/cli fingerprint` prints it. */
  readonly fingerprint: string;
  /** Returns the bytes of a message. Throws an `EncodeError`. */
  readonly encode: (value: In) => Uint8Array<ArrayBuffer>;
  /** Returns the message of bytes. Throws a `DecodeError`. */
  readonly decode: (bytes: Uint8Array) => Out;
}

/**
 * Returns PCK from functions, for example emitted code: a page does not need the compiler of schemas. Throws `ERR_INVALID_ARGUMENT`
 * for anything but functions, and unless the fingerprint has 16 hexadecimal digits.
 *
 * For clients. On a server, `check` reads foreign MessagePack and JSON without a limit on absent fields: 1 MiB of `{}` took 751 MB with a
 * schema of 100 optional texts. `pck` has that limit.
 *
 * @example
 * const weather = pckOf({ fingerprint: "5ac501d48d978c22", encode: encodeWeather, decode: decodeWeather });
 */
export function pckOf<Out, In>(messages: PckMessages<Out, In>): PckFormat<Out, In> {
  const { fingerprint, encode, decode } = ownOptions(messages, "messages");
  if (typeof encode !== "function" || typeof decode !== "function")
    throw invalidArgument("encode and decode must be functions");
  if (!/^[0-9a-f]{16}$/.test(fingerprint)) throw invalidArgument("fingerprint must have 16 hexadecimal digits");
  return {
    ...pckHead(new Map([[fingerprint, (bytes) => decode(bytes)]])),
    encode: (value) => encode(value),
    check: (value) => decode(encode(value as In)),
  };
}

/** Returns the members of a format that depend on its fingerprints. The first decoder is for the schema itself. */
export function pckHead<Out>(decoders: ReadonlyMap<string, (bytes: Uint8Array) => Out>) {
  const fingerprints = [...decoders.keys()];
  const fingerprint = fingerprints[0]!;
  return {
    kind: "pck" as const,
    fingerprint,
    fingerprints,
    type: (isStream: boolean) => pckType(fingerprint, isStream),
    accept: (isStream: boolean) => {
      const types = fingerprints.map((print, i) => pckType(print, isStream) + (i > 0 ? ";q=0.9" : ""));
      return [...types, `${MSGPACK_TYPE};q=0.5`].join(", ");
    },
    decoder: (print = "") => decoders.get(print),
    decoderOf(contentType: string, isStream: boolean) {
      const [type, print] =
        /^([^;\s]+)\s*;(?:.*;)?\s*fingerprint="?([0-9a-f]+)/.exec(contentType.toLowerCase())?.slice(1) ?? [];
      return type === (isStream ? PCK_STREAM_TYPE : PCK_TYPE) ? decoders.get(print!) : undefined;
    },
  };
}
