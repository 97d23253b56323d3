import { isDeepStrictEqual } from "node:util";
import { invalidArgument } from "moonpack/bytes";

/** Encodes values to bytes and decodes them. */
export interface Codec {
  /** The name of the codec. */
  readonly name: string;
  /** Returns the bytes of a value. */
  encode(value: unknown): Uint8Array;
  /** Returns the value of bytes. */
  decode(bytes: Uint8Array): unknown;
}

/** Checks the option `codec`. Throws `ERR_INVALID_ARGUMENT` for anything but a codec. */
export function codecOption(codec: unknown): Codec | undefined {
  if (codec === undefined) return undefined;
  const { encode, decode } = Object(codec) as Partial<Codec>;
  if (typeof encode === "function" && typeof decode === "function") return codec as Codec;
  throw invalidArgument("codec must be an object with the functions encode and decode");
}

/** Encodes a value with the codec. Without a codec, strings become UTF-8, bytes are unchanged, and anything else becomes JSON. */
export function bytesOf(value: unknown, codec: Codec | undefined): Uint8Array {
  if (codec !== undefined) return codec.encode(value);
  if (value instanceof Uint8Array) return value;
  return new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value));
}

/** True if two values are deeply equal. */
export function isSame(one: unknown, other: unknown): boolean {
  return Object.is(one, other) || isDeepStrictEqual(one, other);
}

/** Imports a library that is not a dependency of this package. Throws `ERR_INVALID_ARGUMENT` if it is missing. */
export async function peer<Module>(name: string, load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    throw invalidArgument(`${name} cannot be loaded: install it beside @moonpack/load (npm install ${name})`, error);
  }
}
