/** PCK as a format of bodies: what `pck` and `pckOf` return. It needs no code of PCK itself. */
import { invalidArgument } from "moonpack/bytes";
import { MSGPACK_TYPE, PCK_STREAM_TYPE, PCK_TYPE, pckType } from "../media-types.js";

/** PCK of one schema. Made by `pck`, or by {@link pckOf}. */
export interface PckFormat<Out = unknown, In = never> {
  readonly kind: "pck";
  /** The fingerprint of the schema in hexadecimal, which bodies are written with. */
  readonly fingerprint: string;
  /** Fingerprints of all schemas whose bodies can be read; the first is `fingerprint`. */
  readonly fingerprints: readonly string[];
  /** The media type of a body of one value, or of a stream. */
  type(isStream: boolean): string;
  /** The header Accept of a client: the own schema, then older ones, then MessagePack. */
  accept(isStream: boolean): string;
  /** Encodes a value. Throws an `EncodeError`. */
  encode(value: In): Uint8Array<ArrayBuffer>;
  /** Returns the decoder of bodies with this fingerprint, or undefined. */
  decoder(fingerprint: string | undefined): ((bytes: Uint8Array) => Out) | undefined;
  /** Returns the decoder of bodies with this Content-Type, or undefined. */
  decoderOf(contentType: string, isStream: boolean): ((bytes: Uint8Array) => Out) | undefined;
  /**
   * Checks a value that came in another format against the schema. Returns it as a decoder would: with defaults, without unknown
   * properties. Throws an `EncodeError` with a path.
   */
  check(value: unknown): Out;
  /** The JSON form of a value: 64-bit integers and bytes as text. Without it, JSON is written as of any value. */
  toJSON?(value: In): unknown;
  /** The value of a JSON form. Throws an `EncodeError` with a path. Without it, `check` is called. */
  fromJSON?(json: unknown): Out;
}

/** Functions that encode and decode the messages of one schema, such as those of emitted code. */
export interface PckMessages<Out, In> {
  /** The fingerprint of the schema in hexadecimal, as `moonpack fingerprint` prints it. */
  readonly fingerprint: string;
  readonly encode: (value: In) => Uint8Array<ArrayBuffer>;
  readonly decode: (bytes: Uint8Array) => Out;
}

/**
 * PCK from functions, such as those of emitted code: a page then needs no compiler of schemas. `ERR_INVALID_ARGUMENT` unless the
 * fingerprint has 16 hexadecimal digits.
 *
 * For clients. On a server, `check` reads MessagePack and JSON of strangers without a limit on absent fields: 1 MiB of `{}` took 751 MB
 * with a schema of 100 optional texts. `pck` has that limit.
 *
 * @example
 * const weather = pckOf({ fingerprint: "5ac501d48d978c22", encode: encodeWeather, decode: decodeWeather });
 */
export function pckOf<Out, In>({ fingerprint, encode, decode }: PckMessages<Out, In>): PckFormat<Out, In> {
  if (!/^[0-9a-f]{16}$/.test(fingerprint)) throw invalidArgument("a fingerprint has 16 hexadecimal digits");
  return {
    ...pckHead(new Map([[fingerprint, (bytes) => decode(bytes)]])),
    encode: (value) => encode(value),
    check: (value) => decode(encode(value as In)),
  };
}

/** What a format is by its media types. The decoder of the own schema comes first. */
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
