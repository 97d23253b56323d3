/** What emitted code that reads bytes of older schemas needs besides: names that there are no more, defaults that do not fit. */
import { type PackReader, readIndex, refused } from "./pack-reader.js";

/** The name at the place that is read; null stands for one that there is no more. `ERR_UNKNOWN_INDEX`. */
export function readName<T extends string>(r: PackReader, names: readonly (T | null)[]): T {
  const start = r.pos;
  return names[readIndex(r, names.length)] ?? noSuchName(start);
}

/** Refuses a name, or an arm, that there is no more. `ERR_UNKNOWN_INDEX`. */
export function noSuchName(offset: number): never {
  throw refused("ERR_UNKNOWN_INDEX", "a name that the schema has no more", offset);
}

/** Stands for a default of 64 bits that is no safe integer, where numbers are wanted. `ERR_UNSAFE_INTEGER`. */
export function unsafeDefault(offset: number): never {
  throw refused("ERR_UNSAFE_INTEGER", "the default of a field", offset);
}
