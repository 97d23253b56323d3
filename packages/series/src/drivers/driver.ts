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

/** An open database. Keys are ordered as unsigned bytes. */
export interface Store {
  /** The values of keys, in their order; undefined for those that are not there. */
  getMany(column: number, keys: readonly Uint8Array[]): Promise<(Uint8Array | undefined)[]>;
  /** Writes all operations or none. `sync`: they are on the medium when the promise resolves. */
  batch(operations: readonly Operation[], options: { readonly sync: boolean }): Promise<void>;
  /** Deletes all keys from `from` up to, and without, `to`. Not atomic with batches. */
  deleteRange(column: number, from: Uint8Array, to: Uint8Array): Promise<void>;
  /** The entries from `from` up to, and without, `to`: a snapshot, in pieces of about 64 KB. */
  range(column: number, from: Uint8Array, to: Uint8Array, options?: RangeOptions): AsyncIterable<readonly Entry[]>;
  /** About how many bytes a column takes on disk. */
  size(column: number): Promise<number>;
  /** Drops dead data of a column. */
  compact?(column: number): Promise<void>;
  close(): Promise<void>;
}

/** How a database is opened. */
export interface StoreOptions {
  readonly columns: readonly string[];
  readonly readOnly: boolean;
  readonly maxCacheBytes: number;
}

/** A kind of database. */
export interface Driver {
  readonly name: string;
  /** Throws `ERR_SERIES_LOCKED` while another process has it open. `path` is undefined for databases in memory. */
  open(path: string | undefined, options: StoreOptions): Promise<Store>;
}
