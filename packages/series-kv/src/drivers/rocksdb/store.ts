/** An open RocksDB. The main thread only passes packed buffers: one thread reads, another one writes. Pages are cached in the main thread. */

import { setTimeout } from "node:timers/promises";
import { storeError } from "@moonpack/series/driver";
import { ofColumn } from "../columns.js";
import type { ColumnSpec, Entry, GetOptions, Operation, RangeOptions, Store } from "../driver.js";
import { StoreCalls } from "../store-calls.js";
import { ValueCache } from "../value-cache.js";
import type { Binding, Context } from "./binding.js";
import { writtenColumn } from "./options.js";
import { packOperations, unpackEntries } from "./packing.js";
import type { ReaderTask } from "./reader.js";
import { RocksThread } from "./rocks-thread.js";
import { TableFiles } from "./table-files.js";
import type { ThreadData } from "./thread-data.js";

/** Number of level 0 files that start a compaction, and of memtables that are written to one file. */
const FILES_TO_COMPACT = 2;
const MEMTABLES_OF_A_FILE = 2;
/** Milliseconds between two checks of the background work, and the number of checks in a row that must find none. */
const LOOK_EVERY = 20;
const QUIET_LOOKS = 5;

/** The store of an open database. */
export class RocksStore implements Store {
  readonly #binding: Binding;
  /** Also keeps the database open: the binding closes it when this handle is garbage-collected. */
  readonly #db: Context;
  readonly #names: readonly string[];
  readonly #writer: RocksThread;
  readonly #reader: RocksThread;
  readonly #files: TableFiles;
  /** Columns that may need compaction. */
  readonly #changed: boolean[];
  readonly #calls = new StoreCalls();
  #ranges = 0;
  readonly #cache: ValueCache;
  /** Columns whose values are cached. */
  readonly #isCached: readonly boolean[];
  /** Number of writes to these columns that were started, and number of running ones. */
  #writes = 0;
  #writesUnderWay = 0;

  /** `cacheBytes` is the size of the value cache in this thread. */
  constructor(
    binding: Binding,
    db: Context,
    folder: string,
    specs: readonly Required<ColumnSpec>[],
    cacheBytes: number,
  ) {
    this.#binding = binding;
    this.#db = db;
    this.#names = specs.map(({ name }) => name);
    this.#files = new TableFiles(folder);
    // Earlier writes are unknown, so all columns may need compaction.
    this.#changed = specs.map(() => true);
    const columns = specs.map(writtenColumn);
    const data: ThreadData = { handle: binding.db_get_handle(db), columns };
    this.#writer = new RocksThread(data);
    this.#reader = new RocksThread(data);
    this.#cache = new ValueCache(cacheBytes);
    this.#isCached = specs.map(({ volume }) => volume === "high");
  }

  async getMany(
    column: number,
    keys: readonly Uint8Array[],
    { keep = false }: GetOptions = {},
  ): Promise<(Uint8Array | undefined)[]> {
    const name = ofColumn(this.#names, column);
    const writes = this.#writes;
    const mayKeep = keep && this.#isCached[column]! && this.#writesUnderWay === 0;
    const thread = this.#writer.waiting < this.#reader.waiting ? this.#writer : this.#reader;
    const values = await this.#call(name, () => thread.get(column, keys));
    // Values that were read during a write may be older than it, and the write has already removed its keys from the cache.
    if (mayKeep && writes === this.#writes) this.#keep(column, keys, values);
    return values;
  }

  cached(column: number, key: Uint8Array): Uint8Array | undefined {
    this.#calls.assertOpen();
    return this.#cache.get(column, key);
  }

  #keep(column: number, keys: readonly Uint8Array[], values: readonly (Uint8Array | undefined)[]): void {
    for (let i = 0; i < keys.length; i++) {
      const value = values[i];
      if (value !== undefined) this.#cache.set(column, keys[i]!, value);
    }
  }

  async batch(operations: readonly Operation[], { sync }: { readonly sync: boolean }): Promise<void> {
    for (const { column } of operations) ofColumn(this.#names, column);
    let changesPages = false;
    for (const { column, key } of operations) {
      this.#changed[column] = true;
      if (!this.#isCached[column]) continue;
      changesPages = true;
      this.#cache.delete(column, key);
    }
    const packed = packOperations(operations);
    const write = () => this.#writer.write({ kind: "batch", packed, sync }, [packed.buffer]);
    await this.#call(undefined, changesPages ? () => this.#changing(write) : write);
  }

  async deleteRange(column: number, from: Uint8Array, to: Uint8Array): Promise<void> {
    const name = ofColumn(this.#names, column);
    this.#changed[column] = true;
    if (this.#isCached[column]) this.#cache.clear();
    await this.#call(name, () => this.#changing(() => this.#writer.write({ kind: "clear", column, from, to })));
  }

  /** Runs a write to columns whose values are cached. */
  async #changing(write: () => Promise<void>): Promise<void> {
    this.#writes++;
    this.#writesUnderWay++;
    try {
      await write();
    } finally {
      this.#writesUnderWay--;
    }
  }

  async *range(
    column: number,
    from: Uint8Array,
    to: Uint8Array,
    { reverse = false, keysOnly = false }: RangeOptions = {},
  ): AsyncGenerator<Entry[]> {
    const name = ofColumn(this.#names, column);
    const range = this.#ranges++;
    const call = (task: ReaderTask) => this.#call(name, () => this.#reader.read(task));
    let isFinished = false;
    try {
      let next = call({ kind: "open", range, column, from, to, reverse, keysOnly });
      for (let pieces = 1; ; pieces++) {
        const { packed, finished } = await next;
        isFinished = finished;
        // From the second chunk on the thread prefetches the next one while the caller works.
        const isAhead = pieces > 1 && !finished;
        if (isAhead) next = ahead(call({ kind: "next", range }));
        const entries = unpackEntries(packed);
        if (entries.length > 0) yield entries;
        if (finished) return;
        this.#calls.assertOpen();
        if (!isAhead) next = call({ kind: "next", range });
      }
    } finally {
      // The thread itself closes failed ranges.
      if (!isFinished && !this.#calls.isClosed) await call({ kind: "close", range });
    }
  }

  /** Returns the bytes of the column's table files. Data that is only in the log is not counted. */
  async size(column: number): Promise<number> {
    const name = ofColumn(this.#names, column);
    const files = await this.#call(name, () => this.#files.ofColumn(name));
    return [...files.values()].reduce((sum, bytes) => sum + bytes, 0);
  }

  /**
   * RocksDB compacts level 0 when it has two files, and files with many deletes in deeper levels. So writing two files, the memtable and an
   * almost empty one, frees deleted data. Measured: 1.002 times the live bytes remain.
   */
  async compact(column: number): Promise<void> {
    const name = ofColumn(this.#names, column);
    await this.#call(name, async () => {
      if (!this.#changed[column]) return;
      this.#changed[column] = false;
      for (let i = 0; i < FILES_TO_COMPACT; i++) await this.#flush(column, name);
    });
  }

  /** Moves the memtable of a column into a file. RocksDB may wait for a second memtable and write both. */
  async #flush(column: number, name: string): Promise<void> {
    await this.#whenQuiet();
    const before = await this.#files.ofColumn(name);
    for (let i = 0; i < MEMTABLES_OF_A_FILE; i++) {
      await this.#writer.write({ kind: "fill", column });
      await this.#whenQuiet();
      const after = await this.#files.ofColumn(name);
      if ([...after.keys()].some((file) => !before.has(file))) return;
    }
  }

  /** Resolves when RocksDB has no background work. */
  async #whenQuiet(): Promise<void> {
    let quiet = 0;
    while (quiet < QUIET_LOOKS) {
      await setTimeout(LOOK_EVERY);
      const running = ["rocksdb.num-running-compactions", "rocksdb.num-running-flushes"].map((property) =>
        this.#binding.db_get_property(this.#db, property),
      );
      quiet = running.every((n) => n === "0") ? quiet + 1 : 0;
    }
  }

  async close(): Promise<void> {
    if (!(await this.#calls.close())) return;
    // Threads first: using a closed database would crash them.
    await Promise.all([this.#writer.end(), this.#reader.end()]);
    await new Promise<void>((resolve, reject) => {
      this.#binding.db_close(this.#db, (error) => (error === null ? resolve() : reject(storeError(error, "rocksdb"))));
    });
  }

  #call<T>(column: string | undefined, act: () => Promise<T>): Promise<T> {
    return this.#calls.run(act, (error) => {
      const { key } = error as { readonly key?: Uint8Array };
      return storeError(error, "rocksdb", { ...(column && { column }), ...(key && { key }) });
    });
  }
}

/** Marks a promise that may never be awaited, so that its rejection is not reported as unhandled. */
function ahead<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}
