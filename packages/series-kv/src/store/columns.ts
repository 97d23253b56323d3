/** The columns of a store, and the entries of `meta` (docs/series-format.md, section 1). */

import { SeriesError } from "@moonpack/series";
import type { ColumnSpec, Operation, Store } from "../drivers/driver.js";

/** The names of the columns, in the order of their numbers. */
export const COLUMNS = ["meta", "metrics", "index", "minutes", "hours"] as const;
export const META = 0;
export const METRICS = 1;
export const INDEX = 2;
export const MINUTES = 3;
export const HOURS = 4;

/** The specifications of the columns for drivers. Names and tags are text; pages are already compressed. */
export const COLUMN_SPECS: readonly ColumnSpec[] = [
  { name: "meta", volume: "low" },
  { name: "metrics", volume: "medium", compressible: true },
  { name: "index", volume: "medium", compressible: true },
  { name: "minutes", volume: "high" },
  { name: "hours", volume: "high" },
];

/** The version of the format on disk. */
export const FORMAT = 1;

/** The keys of `meta` whose values are numbers. */
export type MetaKey = "format" | "next" | "sealed" | "log";

const META_KEYS: readonly MetaKey[] = ["format", "next", "sealed", "log"];

/** The numbers of `meta`; undefined for a missing entry. */
export type Meta = { readonly [K in MetaKey]: number | undefined };

/** Reads all numbers of `meta`. */
export async function readMeta(store: Store): Promise<Meta> {
  const keys = META_KEYS.map((key) => Buffer.from(key, "latin1"));
  const values = await store.getMany(META, keys);
  const [format, next, sealed, log] = values.map((value, i) => {
    if (value === undefined) return undefined;
    if (value.length !== 4)
      throw new SeriesError("ERR_SERIES_CORRUPT", `meta ${META_KEYS[i]} has ${value.length} bytes instead of 4`, {
        column: "meta",
        key: keys[i]!,
      });
    return new DataView(value.buffer, value.byteOffset, 4).getUint32(0);
  });
  return { format, next, sealed, log };
}

/** Returns the operation that sets a number of `meta`. */
export function metaOperation(key: MetaKey, number: number): Operation {
  const value = new Uint8Array(4);
  new DataView(value.buffer).setUint32(0, number);
  return { column: META, key: Buffer.from(key, "latin1"), value };
}
