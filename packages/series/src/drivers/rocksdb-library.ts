/** The part of @nxtedition/rocksdb that the driver uses. The package has no types. */
import { createRequire } from "node:module";

/** A column family of an open database: an object of the binding. */
export type Column = object;

/** Options of one column. */
export interface ColumnOptions {
  readonly compression?: boolean;
  readonly memtableMemoryBudget?: number;
  readonly cacheSize?: number;
}

/** Options of a database. */
export interface OpenOptions {
  readonly createIfMissing?: boolean;
  readonly parallelism?: number;
  readonly columns?: Readonly<Record<string, ColumnOptions>>;
}

/** Writes that take effect together. */
export interface ChainedBatch {
  put(key: Uint8Array, value: Uint8Array, options: { readonly column: Column }): this;
  del(key: Uint8Array, options: { readonly column: Column }): this;
  /** Works on the calling thread. */
  write(options: { readonly sync: boolean }): Promise<void>;
}

/** Entries of a range, in their order. */
export interface RocksIterator {
  nextv(size: number): Promise<[Uint8Array, Uint8Array][]>;
  close(): Promise<void>;
}

/** Where a range begins and ends. */
export interface RocksRange {
  readonly column: Column;
  readonly gte: Uint8Array;
  readonly lt: Uint8Array;
  readonly reverse?: boolean;
  readonly values?: boolean;
  /** Bytes of entries after which a step ends. */
  readonly highWaterMarkBytes?: number;
}

/** A database, or a second object for one that is open in this process. */
export interface RocksLevel {
  /** For a second object, in any thread. The database closes with the first one, or crashes the second one's calls. */
  readonly handle: bigint;
  readonly columns: Readonly<Record<string, Column>>;
  open(options: OpenOptions): Promise<void>;
  /** Closes the database for all objects. */
  close(): Promise<void>;
  getMany(keys: readonly Uint8Array[], options: { readonly column: Column }): Promise<(Uint8Array | undefined)[]>;
  batch(): ChainedBatch;
  iterator(range: RocksRange): RocksIterator;
  /** Deletes a range; works on the calling thread. */
  clear(range: RocksRange): Promise<void>;
  getProperty(name: string): string;
}

/** Its module. Loaded when a database is opened, since it loads a binary. */
export function loadRocksdb(): {
  RocksLevel: new (
    pathOrHandle: string | bigint,
    options: { keyEncoding: string; valueEncoding: string },
  ) => RocksLevel;
} {
  return createRequire(import.meta.url)("@nxtedition/rocksdb");
}

/** Keys and values are bytes. */
export const AS_BYTES = { keyEncoding: "buffer", valueEncoding: "buffer" } as const;
