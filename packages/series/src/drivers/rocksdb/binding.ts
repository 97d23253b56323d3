/**
 * The part of @nxtedition/rocksdb's native module that the driver uses. The module is loaded without the package's JavaScript: that
 * has no way to read or write synchronously in a thread of ours, and a damaged block that its `getMany` meets ends the process.
 */
import { createRequire } from "node:module";
import { SeriesError } from "../../errors.js";

declare const context: unique symbol;
declare const column: unique symbol;
declare const batch: unique symbol;
declare const iterator: unique symbol;

/** A database that is open or not, as one thread sees it. */
export type Context = { readonly [context]: true };
/** A column family of an open database. It crashes the process when it is used after the database was closed. */
export type Column = { readonly [column]: true };
/** Writes that take effect together. */
export type Batch = { readonly [batch]: true };
/** A place in a range, and a snapshot. */
export type Iterator = { readonly [iterator]: true };

/** Options of a column family. */
export interface ColumnOptions {
  readonly compaction?: "level" | "universal";
  /** Without `compaction` it has no effect: memtables then take up to 128 MiB. */
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

/** A range of keys of a column, and how it is read. */
export interface RangeSettings {
  readonly column: Column;
  readonly gte: Uint8Array;
  readonly lt: Uint8Array;
  readonly reverse?: boolean;
  readonly values?: boolean;
  /** Bytes of entries after which a step ends. */
  readonly highWaterMarkBytes?: number;
  readonly fillCache?: boolean;
  readonly keyEncoding?: "buffer";
  readonly valueEncoding?: "buffer";
}

/** The functions of the native module. All but those that take a callback work on the calling thread. */
export interface Binding {
  /** A path, or the handle of a database that another thread has opened. */
  db_init(pathOrHandle: string | bigint): Context;
  /** For a handle it returns the columns and calls nothing. */
  db_open(db: Context, options: DatabaseOptions, callback: (error: Error | null, columns: Columns) => void): Columns;
  db_open(db: Context): Columns;
  db_get_handle(db: Context): bigint;
  db_close(db: Context, callback: (error: Error | null) => void): void;
  db_get_property(db: Context, name: string): string;
  /** null for values beyond the limit of bytes, which is never set here. */
  db_get_many_sync(db: Context, keys: readonly Uint8Array[], options: { column: Column }): (Uint8Array | undefined)[];
  /** A range delete. It is not synced. */
  db_clear(db: Context, range: RangeSettings): void;
  batch_init(): Batch;
  batch_put(batch: Batch, key: Uint8Array, value: Uint8Array, options: { column: Column }): void;
  batch_del(batch: Batch, key: Uint8Array, options: { column: Column }): void;
  batch_write(db: Context, batch: Batch, options: { sync: boolean }): void;
  batch_clear(batch: Batch): void;
  iterator_init(db: Context, range: RangeSettings): Iterator;
  /** Keys and values in turns. */
  iterator_nextv_sync(iterator: Iterator, count: number): { rows: Uint8Array[]; finished: boolean };
  iterator_close(iterator: Iterator): void;
}

/** Loads the native module. Called when a database is opened: importing the driver loads no binary. */
export function loadBinding(): Binding {
  try {
    return createRequire(import.meta.url)("@nxtedition/rocksdb/binding.js");
  } catch (error) {
    const text = `@nxtedition/rocksdb has no binary for ${process.platform}-${process.arch}: use the driver classicLevel()`;
    throw new SeriesError("ERR_SERIES_STORE", text, {}, error);
  }
}
