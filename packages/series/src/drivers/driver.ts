/** What a store needs of a database: a few ordered maps of bytes (docs/series.md, "Drivers"). */

/** An entry to write; without a value, the key is deleted. */
export interface Operation {
  /** The number of the column, in the order in which the store was opened. */
  readonly column: number;
  readonly key: Uint8Array;
  readonly value?: Uint8Array | undefined;
}

/** A key and its value. */
export type Entry = readonly [key: Uint8Array, value: Uint8Array];

/** How a range is read. */
export interface RangeOptions {
  /** From the greatest key down. */
  readonly reverse?: boolean;
  /** Values are empty. */
  readonly keysOnly?: boolean;
}

/** How values are read. */
export interface GetOptions {
  /** They may be wanted again soon: a store that keeps values in memory keeps these for {@link Store.cached}. Default: false. */
  readonly keep?: boolean;
}

/**
 * An open database. Keys are ordered as unsigned bytes, and each has at least one byte.
 *
 * The memory of keys and values is the caller's again when the promise of a call resolves. Results are never changed by the store.
 * Several results may lie in one piece of memory: copy what is kept for long.
 */
export interface Store {
  /** The values of keys, in their order; undefined for those that are not there. */
  getMany(column: number, keys: readonly Uint8Array[], options?: GetOptions): Promise<(Uint8Array | undefined)[]>;
  /**
   * The value of a key if it is in the store's memory: an answer without a promise. Undefined says nothing: `getMany` knows. A value is
   * never older than the last `batch` or `deleteRange` that was called. Left out by stores that have none in memory.
   */
  cached?(column: number, key: Uint8Array): Uint8Array | undefined;
  /** Writes all operations or none, in their order. `sync`: they are on the medium when the promise resolves. */
  batch(operations: readonly Operation[], options: { readonly sync: boolean }): Promise<void>;
  /** Deletes all keys from `from` up to, and without, `to`. Not atomic with batches. */
  deleteRange(column: number, from: Uint8Array, to: Uint8Array): Promise<void>;
  /** The entries from `from` up to, and without, `to`: a snapshot, in pieces of about 64 KB. */
  range(column: number, from: Uint8Array, to: Uint8Array, options?: RangeOptions): AsyncIterable<readonly Entry[]>;
  /** About how many bytes a column takes on disk. */
  size(column: number): Promise<number>;
  /** Drops dead data of a column. */
  compact?(column: number): Promise<void>;
  /** Waits for calls that have not resolved. Ranges that are not read to their end fail with `ERR_CLOSED`. */
  close(): Promise<void>;
}

/** A column, and what is known of its contents: drivers choose their settings by it. */
export interface ColumnSpec {
  readonly name: string;
  /**
   * How much is written, in the long run: kilobytes, megabytes or gigabytes. Columns of high volume share most of the cache.
   * Default: `"medium"`.
   */
  readonly volume?: "low" | "medium" | "high";
  /** Values get smaller by general-purpose compression. Default: false. */
  readonly compressible?: boolean;
}

/** How a database is opened. */
export interface StoreOptions {
  /** A text is the name of a column of which nothing is known. */
  readonly columns: readonly (string | ColumnSpec)[];
  /** Writes are refused with `ERR_SERIES_READ_ONLY`, and the database must exist. */
  readonly readOnly: boolean;
  readonly maxCacheBytes: number;
}

/** A kind of database. */
export interface Driver {
  readonly name: string;
  /**
   * Its `ERR_SERIES_LOCKED` names the process that has the store, so `openSeries` passes it on as it is. Otherwise `openSeries` names the
   * process that had the folder last. Default false.
   */
  readonly tellsOwner?: boolean;
  /** Throws `ERR_SERIES_LOCKED` while another process has it open. `path` is undefined for databases in memory. */
  open(path: string | undefined, options: StoreOptions): Promise<Store>;
}
