/**
 * Functions of emitted code that reads the bytes of older schemas: names that were removed, defaults that do not fit.
 */
import { type PackReader, readIndex, refused } from "./reader.js";

/** Reads the index of a name and returns the name; null in the list marks a removed one. Throws `ERR_UNKNOWN_INDEX`. */
export function readName<T extends string>(r: PackReader, names: readonly (T | null)[]): T {
  const start = r.pos;
  return names[readIndex(r, names.length)] ?? noSuchName(start);
}

/** Throws `ERR_UNKNOWN_INDEX`: the bytes at `offset` hold a name, or an arm, that the current schema lacks. */
export function noSuchName(offset: number): never {
  throw refused("ERR_UNKNOWN_INDEX", "a name that the schema no longer has", offset);
}

/** Throws `ERR_UNSAFE_INTEGER`: a 64-bit default is not a safe integer, and the option `int64` is `"number"`. */
export function unsafeDefault(offset: number): never {
  throw refused("ERR_UNSAFE_INTEGER", "the default of a field is beyond 2^53 - 1", offset);
}
