/** Reads the values of several keys with one call, which the client sends to all members in parallel. */
import { SeriesError } from "@moonpack/series";
import type { Column } from "./columns.js";
import { keyOf } from "./keys.js";

/** Returns the values of keys, in the order of the keys; undefined for a missing key. */
export async function valuesOf({ name, map }: Column, keys: readonly string[]): Promise<(Uint8Array | undefined)[]> {
  if (keys.length === 0) return [];
  const found = new Map<string, unknown>(await map.getAll([...new Set(keys)]));
  return keys.map((key) => checked(name, key, found.get(key)));
}

/** Returns the value. Throws `ERR_SERIES_CORRUPT` if it is not a Buffer: another program has written into the map. */
function checked(column: string, key: string, value: unknown): Uint8Array | undefined {
  if (value === undefined || Buffer.isBuffer(value)) return value;
  throw new SeriesError("ERR_SERIES_CORRUPT", `the value of ${key} in ${column} is not a Buffer`, {
    column,
    key: keyOf(key),
  });
}
