/** Drivers: where the sealed points of a store are. */

/** A driver of another package, such as `rocksdb()` of `@moonpack/series-kv`. */
export interface SeriesDriver {
  /** The name in error texts. */
  readonly name: string;
  /** Opens a store. `openSeries` calls it. Its types are in `@moonpack/series/driver`. */
  openStore(settings: never): Promise<object>;
}

/** A key and its value. */
export type Entry = readonly [key: Uint8Array, value: Uint8Array];
