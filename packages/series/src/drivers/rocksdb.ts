/** RocksDB: the default driver. Reads run in the thread pool, writes in a thread of their own (rocksdb-writer.ts). */
import { mkdir } from "node:fs/promises";
import { Worker } from "node:worker_threads";
import { MoonpackError } from "moonpack/bytes";
import { invalidArgument } from "../errors.js";
import type { Driver, Entry, Operation, RangeOptions, Store, StoreOptions } from "./driver.js";
import { packOperations } from "./operations.js";
import { AS_BYTES, type Column, type ColumnOptions, loadRocksdb, type RocksLevel } from "./rocksdb-library.js";
import type { WriterAnswer, WriterData, WriterTask } from "./rocksdb-writer.js";
import { storeError } from "./store-error.js";

/** Memory for data that is not yet in files, for all columns. Without a budget it grows to hundreds of megabytes. */
const MEMTABLE_BYTES = 32 * 2 ** 20;
/** Entries of one step of a range. */
const STEP = 1000;
const PIECE_BYTES = 65_536;

/** The driver for RocksDB. Each store has one database in its folder, which is locked while it is open. */
export function rocksdb(): Driver {
  return { name: "rocksdb", open: openRocksdb };
}

async function openRocksdb(path: string | undefined, options: StoreOptions): Promise<Store> {
  if (path === undefined) throw invalidArgument("rocksdb needs a path");
  try {
    if (!options.readOnly) await mkdir(path, { recursive: true });
    const { RocksLevel: Database } = loadRocksdb();
    const db = new Database(path, AS_BYTES);
    const column: ColumnOptions = {
      compression: true,
      memtableMemoryBudget: MEMTABLE_BYTES / options.columns.length,
      cacheSize: Math.floor(options.maxCacheBytes / options.columns.length),
    };
    await db.open({
      createIfMissing: !options.readOnly,
      parallelism: 2,
      columns: Object.fromEntries(["default", ...options.columns].map((name) => [name, column])),
    });
    const store = new RocksStore(db, options.columns);
    await store.started();
    return store;
  } catch (error) {
    throw storeError(error, "rocksdb");
  }
}

/** A task that the writing thread has not answered yet. */
interface Pending {
  resolve(): void;
  reject(error: unknown): void;
}

class RocksStore implements Store {
  readonly #db: RocksLevel;
  readonly #columns: readonly Column[];
  readonly #writer: Worker;
  readonly #pending = new Map<number, Pending>();
  #tasks = 0;
  #reads = 0;
  #isClosed = false;
  #whenIdle: (() => void) | null = null;

  constructor(db: RocksLevel, columns: readonly string[]) {
    this.#db = db;
    this.#columns = columns.map((name) => db.columns[name]!);
    this.#writer = new Worker(new URL("./rocksdb-thread.js", import.meta.url), {
      workerData: { handle: db.handle, columns } satisfies WriterData,
      // The flags of this process may not be allowed in a worker.
      execArgv: [],
    });
    this.#writer.on("message", ({ id, error }: WriterAnswer) => {
      const pending = this.#pending.get(id)!;
      this.#pending.delete(id);
      if (this.#pending.size === 0) this.#writer.unref();
      if (error === undefined) pending.resolve();
      else pending.reject(storeError(new Error(error), "rocksdb"));
    });
    this.#writer.on("error", (error) => this.#failAll(error));
    this.#writer.on("exit", () => this.#failAll(new Error("the writing thread has ended")));
  }

  /** Resolves when the writing thread can write. */
  started(): Promise<void> {
    return new Promise((resolve, reject) => this.#pending.set(0, { resolve, reject }));
  }

  async getMany(column: number, keys: readonly Uint8Array[]): Promise<(Uint8Array | undefined)[]> {
    return this.#read(() => this.#db.getMany(keys, { column: this.#columns[column]! }));
  }

  batch(operations: readonly Operation[], { sync }: { readonly sync: boolean }): Promise<void> {
    const batch = packOperations(operations);
    return this.#run((id) => ({ id, batch, sync }), [batch.buffer]);
  }

  deleteRange(column: number, from: Uint8Array, to: Uint8Array): Promise<void> {
    return this.#run((id) => ({ id, clear: column, from, to }), []);
  }

  async *range(
    column: number,
    from: Uint8Array,
    to: Uint8Array,
    { reverse = false, keysOnly = false }: RangeOptions = {},
  ): AsyncGenerator<Entry[]> {
    this.#checkOpen();
    const iterator = this.#db.iterator({
      column: this.#columns[column]!,
      gte: from,
      lt: to,
      reverse,
      values: !keysOnly,
      highWaterMarkBytes: PIECE_BYTES,
    });
    this.#reads++;
    try {
      for (;;) {
        const entries = await iterator.nextv(STEP);
        if (entries.length === 0) return;
        yield entries;
        this.#checkOpen();
      }
    } catch (error) {
      throw storeError(error, "rocksdb");
    } finally {
      await iterator.close();
      this.#readEnded();
    }
  }

  async size(column: number): Promise<number> {
    // The binding only tells the size of the whole database's live files.
    this.#checkOpen();
    return column === 0 ? Number(this.#db.getProperty("rocksdb.total-sst-files-size")) : 0;
  }

  /** Waits for writes and reads, ends the thread, then closes the database: the thread must not have it by then. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#writer.ref();
    if (this.#pending.size > 0 || this.#reads > 0) await new Promise<void>((resolve) => (this.#whenIdle = resolve));
    this.#writer.removeAllListeners("exit");
    await this.#writer.terminate();
    try {
      await this.#db.close();
    } catch (error) {
      throw storeError(error, "rocksdb");
    }
  }

  async #read<T>(act: () => Promise<T>): Promise<T> {
    this.#checkOpen();
    this.#reads++;
    try {
      return await act();
    } catch (error) {
      throw storeError(error, "rocksdb");
    } finally {
      this.#readEnded();
    }
  }

  #readEnded(): void {
    this.#reads--;
    this.#endIfIdle();
  }

  async #run(task: (id: number) => WriterTask, transfer: ArrayBuffer[]): Promise<void> {
    this.#checkOpen();
    const id = ++this.#tasks;
    try {
      await new Promise<void>((resolve, reject) => {
        this.#pending.set(id, { resolve, reject });
        this.#writer.ref();
        this.#writer.postMessage(task(id), transfer);
      });
    } finally {
      this.#endIfIdle();
    }
  }

  #endIfIdle(): void {
    if (this.#pending.size === 0 && this.#reads === 0) this.#whenIdle?.();
  }

  #failAll(error: Error): void {
    for (const pending of this.#pending.values()) pending.reject(storeError(error, "rocksdb"));
    this.#pending.clear();
  }

  #checkOpen(): void {
    if (this.#isClosed) throw new MoonpackError("ERR_CLOSED", "the store is closed");
  }
}
