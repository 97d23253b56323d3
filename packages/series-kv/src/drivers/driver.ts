/** The interface of databases: a few ordered maps of bytes (docs/series.md, "Drivers"). */
import type { Entry } from "@moonpack/series/driver";

export type { Entry } from "@moonpack/series/driver";

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

/** An entry to write; without a value, the key to delete. */
export interface Operation {
  /** The number of the column: its index in `StoreOptions.columns`. */
  readonly column: number;
  /** The key. */
  readonly key: Uint8Array;
  /** The value to write; undefined to delete the key. */
  readonly value?: Uint8Array | undefined;
}

/**
 * An open database. Keys are ordered as unsigned bytes, and each has at least one byte.
 *
 * The caller may reuse the memory of keys and values when the promise of a call resolves. The store never changes its results. Several
 * results may share one buffer: copy results that are kept for long.
 */
export interface Store {
  /** Returns the values of keys, in the order of the keys; undefined for a missing key. */
  getMany(column: number, keys: readonly Uint8Array[], options?: GetOptions): Promise<(Uint8Array | undefined)[]>;
  /**
   * Returns the value of a key synchronously if it is cached. Undefined does not mean that the key is missing: call `getMany`. A value is
   * never older than the last call of `batch` or `deleteRange`. Optional: stores without a cache omit it.
   */
  cached?(column: number, key: Uint8Array): Uint8Array | undefined;
  /** Writes all operations or none, in order. With `sync` they are on disk when the promise resolves. */
  batch(operations: readonly Operation[], options: { readonly sync: boolean }): Promise<void>;
  /** Deletes all keys from `from` (inclusive) to `to` (exclusive). Not atomic with batches. */
  deleteRange(column: number, from: Uint8Array, to: Uint8Array): Promise<void>;
  /** Returns a snapshot of the entries from `from` (inclusive) to `to` (exclusive), in chunks of about 64 KB. */
  range(column: number, from: Uint8Array, to: Uint8Array, options?: RangeOptions): AsyncIterable<readonly Entry[]>;
  /** Returns the approximate bytes of a column on disk. */
  size(column: number): Promise<number>;
  /** Frees the space of a column's deleted data. */
  compact?(column: number): Promise<void>;
  /** Waits for pending calls, then closes the database. Unfinished ranges fail with `ERR_CLOSED`. */
  close(): Promise<void>;
}

/** A column, and properties of its contents, from which drivers choose their settings. */
export interface ColumnSpec {
  /** The name of the column. */
  readonly name: string;
  /**
   * The expected amount of data: kilobytes, megabytes or gigabytes. Columns of high volume share most of the cache. Default:
   * `"medium"`.
   */
  readonly volume?: "low" | "medium" | "high";
  /** True if general-purpose compression makes values smaller. Default: false. */
  readonly compressible?: boolean;
}

/** Options of opening a database. */
export interface StoreOptions {
  /** The columns. A string is the name of a column with default properties. */
  readonly columns: readonly (string | ColumnSpec)[];
  /** Refuses writes with `ERR_SERIES_READ_ONLY`. The database must exist. */
  readonly readOnly: boolean;
  /** Maximum bytes of all caches of the database. */
  readonly maxCacheBytes: number;
}

/** A driver: opens databases of one kind. */
export interface Driver {
  /** The name in error texts. */
  readonly name: string;
  /**
   * True if the driver's `ERR_SERIES_LOCKED` names the process that has the store open: `openSeries` then throws it unchanged. Otherwise
   * `openSeries` names the last process that used the folder. Default false.
   */
  readonly reportsOwner?: boolean;
  /** Opens a database. Throws `ERR_SERIES_LOCKED` while another process has it open. `path` is undefined for databases in memory. */
  open(path: string | undefined, options: StoreOptions): Promise<Store>;
}
