/** Drivers: where the sealed points of a store are. */
import type { Settings } from "../options.js";
import type { OpenedStore } from "../read/sealed-store.js";

/** A driver of another package, such as `rocksdb()` of `@moonpack/series-kv`. */
export interface SeriesDriver {
  readonly name: string;
  /** Called by `openSeries`. Its types are in `@moonpack/series/driver`. */
  openStore(settings: never): Promise<object>;
}

/** The implementation of a {@link SeriesDriver}. */
export interface StoreDriver extends SeriesDriver {
  /** Opens the store, and creates it if it does not exist. Throws the errors of `openSeries`. */
  openStore(settings: Settings): Promise<OpenedStore>;
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
