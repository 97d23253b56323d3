import type { BaseReader } from "./base.js";
import type { ShapeReading } from "./settings.js";

/** Counters of the work done, see `Decoder.stats`. */
export interface DecoderStats {
  /** Messages decoded without error. */
  readonly messages: number;
  /** Bytes of those messages. */
  readonly bytes: number;
  /** Values read: every message, array element and map value counts one. */
  readonly values: number;
  /** Map keys found in the key table. */
  readonly keyHits: number;
  /** Map keys that were decoded as strings. */
  readonly keyMisses: number;
  /**
   * Objects read by a generated reader. Each map counts once, when it is complete, in one of `shapeHits`, `plain`,
   * `dictionaries` and `maps`, also if its message fails later. (`itemsOfOne`: the outermost map is not counted.)
   */
  readonly shapeHits: number;
  /** Objects that a generated reader started but that had other keys. */
  readonly shapeMisses: number;
  /** Readers generated. */
  readonly shapesCompiled: number;
  /** Objects whose keys were looked up one by one, empty objects included. */
  readonly plain: number;
  /** Objects in V8's dictionary mode: too many keys, or keys that do not recur. */
  readonly dictionaries: number;
  /** Maps. */
  readonly maps: number;
}

/** The counters of a reader. */
export function statsOf(reader: BaseReader & { readonly shapes?: ShapeReading | null }): DecoderStats {
  const { work, values, keyTable, shapes } = reader;
  return {
    ...work,
    values,
    keyHits: keyTable.hits,
    keyMisses: keyTable.misses,
    shapeHits: shapes?.hits ?? 0,
    shapeMisses: shapes?.misses ?? 0,
    shapesCompiled: shapes?.compiled ?? 0,
  };
}
