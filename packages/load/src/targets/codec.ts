import { isDeepStrictEqual } from "node:util";
import { invalidArgument } from "moonpack/bytes";

/** Turns values into bytes and back. */
export interface Codec {
  readonly name: string;
  encode(value: unknown): Uint8Array;
  decode(bytes: Uint8Array): unknown;
}

/** The option `codec`. */
export function codecOption(codec: unknown): Codec | undefined {
  if (codec === undefined) return undefined;
  const { encode, decode } = Object(codec) as Partial<Codec>;
  if (typeof encode === "function" && typeof decode === "function") return codec as Codec;
  throw invalidArgument("codec must be an object with the functions encode and decode");
}

/** The bytes of a value: by the codec; without one, texts as UTF-8, bytes as they are and anything else as JSON. */
export function bytesOf(value: unknown, codec: Codec | undefined): Uint8Array {
  if (codec !== undefined) return codec.encode(value);
  if (value instanceof Uint8Array) return value;
  return new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value));
}

/** True if two values are equal, however they are made. */
export function isSame(one: unknown, other: unknown): boolean {
  return Object.is(one, other) || isDeepStrictEqual(one, other);
}

/** Imports a library that this package does not bring. */
export async function peer<Module>(name: string, load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    throw invalidArgument(`${name} cannot be loaded: install it beside @moonpack/load (npm install ${name})`, error);
  }
}
