/** Values of keys: one call of the map, which asks all members at once. */
import { SeriesError } from "@moonpack/series";
import type { Column } from "./columns.js";
import { keyOf } from "./keys.js";

/** The values of keys, in their order; undefined for those that are not there. */
export async function valuesOf({ name, map }: Column, keys: readonly string[]): Promise<(Uint8Array | undefined)[]> {
  if (keys.length === 0) return [];
  const found = new Map<string, unknown>(await map.getAll([...new Set(keys)]));
  return keys.map((key) => checked(name, key, found.get(key)));
}

/** A value, unless another program wrote something else into the map. */
function checked(column: string, key: string, value: unknown): Uint8Array | undefined {
  if (value === undefined || Buffer.isBuffer(value)) return value;
  throw new SeriesError("ERR_SERIES_CORRUPT", `the value of ${key} in ${column} is not a Buffer`, {
    column,
    key: keyOf(key),
  });
}
