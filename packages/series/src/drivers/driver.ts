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

/** Options of reading a range. */
export interface RangeOptions {
  /** Reads from the greatest key down. */
  readonly reverse?: boolean;
  /** Returns empty values. */
  readonly keysOnly?: boolean;
}

/** Options of reading values. */
export interface GetOptions {
  /** The values may be read again soon: a store with a cache keeps them. Default: false. */
  readonly keep?: boolean;
}
