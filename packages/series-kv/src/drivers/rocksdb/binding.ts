/**
 * The part of @nxtedition/rocksdb's native module that the driver uses. The native module is loaded without the package's JavaScript,
 * which cannot read or write synchronously in a worker thread, and whose `getMany` ends the process at a damaged block.
 */
import { createRequire } from "node:module";
import { SeriesError } from "@moonpack/series";

declare const context: unique symbol;
declare const column: unique symbol;
declare const batch: unique symbol;
declare const iterator: unique symbol;

/** A handle of a database in one thread. */
export type Context = { readonly [context]: true };
/** A column family of an open database. Using it after the database was closed crashes the process. */
export type Column = { readonly [column]: true };
/** An atomic batch of writes. */
export type Batch = { readonly [batch]: true };
/** An iterator over a range of a snapshot. */
export type Iterator = { readonly [iterator]: true };

/** Options of a column family. */
export interface ColumnOptions {
  readonly compaction?: "level" | "universal";
  /** Has no effect without `compaction`: memtables then take up to 128 MiB. */
  readonly memtableMemoryBudget?: number;
  readonly compression?: boolean;
  readonly cacheSize?: number;
  readonly blockSize?: number;
  readonly cacheIndexAndFilterBlocks?: boolean;
}

/** Options of a database. */
export interface DatabaseOptions {
  readonly createIfMissing: boolean;
  readonly parallelism: number;
  readonly walCompression: boolean;
  readonly columns: Readonly<Record<string, ColumnOptions>>;
}

/** The column families of an open database, by name. */
export type Columns = Readonly<Record<string, Column>>;

/** Options of an iterator: the range of keys, and how it is read. */
export interface RangeSettings {
  readonly column: Column;
  readonly gte: Uint8Array;
  readonly lt: Uint8Array;
  readonly reverse?: boolean;
  readonly values?: boolean;
  /** Maximum bytes of entries of a step. */
  readonly highWaterMarkBytes?: number;
  readonly fillCache?: boolean;
  readonly keyEncoding?: "buffer";
  readonly valueEncoding?: "buffer";
}

/** The functions of the native module. Functions without a callback work on the calling thread. */
export interface Binding {
  /** A path, or the handle of a database that another thread has opened. */
  db_init(pathOrHandle: string | bigint): Context;
  /** For a handle, returns the columns without calling back. */
  db_open(db: Context, options: DatabaseOptions, callback: (error: Error | null, columns: Columns) => void): Columns;
  db_open(db: Context): Columns;
  db_get_handle(db: Context): bigint;
  db_close(db: Context, callback: (error: Error | null) => void): void;
  db_get_property(db: Context, name: string): string;
  /** null for values beyond the byte limit, which this driver does not set. */
  db_get_many_sync(db: Context, keys: readonly Uint8Array[], options: { column: Column }): (Uint8Array | undefined)[];
  /** Deletes a range, without a sync. */
  db_clear(db: Context, range: RangeSettings): void;
  batch_init(): Batch;
  batch_put(batch: Batch, key: Uint8Array, value: Uint8Array, options: { column: Column }): void;
  batch_del(batch: Batch, key: Uint8Array, options: { column: Column }): void;
  batch_write(db: Context, batch: Batch, options: { sync: boolean }): void;
  batch_clear(batch: Batch): void;
  iterator_init(db: Context, range: RangeSettings): Iterator;
  /** Keys and values, alternating. */
  iterator_nextv_sync(iterator: Iterator, count: number): { rows: Uint8Array[]; finished: boolean };
  iterator_close(iterator: Iterator): void;
}

/** Loads the native module. Called when a database is opened, so that importing the driver does not load the binary. */
export function loadBinding(): Binding {
  try {
    return createRequire(import.meta.url)("@nxtedition/rocksdb/binding.js");
  } catch (error) {
    const text = `@nxtedition/rocksdb has no binary for ${process.platform}-${process.arch}: use the driver classicLevel()`;
    throw new SeriesError("ERR_SERIES_STORE", text, {}, error);
  }
}
