/**
 * What the writing thread does. The binding writes, and waits for the medium, on the thread that calls it: on the main thread each
 * sealed minute would stop the event loop.
 */
import type { Batch, Binding, Column, Context } from "./binding.js";
import { unpackOperations } from "./packed.js";
import type { Done } from "./serve.js";
import type { WrittenColumn } from "./thread-data.js";

/** What the thread is told to do. */
export type WriterTask =
  | { readonly kind: "batch"; readonly packed: Uint8Array; readonly sync: boolean }
  | { readonly kind: "clear"; readonly column: number; readonly from: Uint8Array; readonly to: Uint8Array }
  | { readonly kind: "fill"; readonly column: number };

/** Batches above this size are not written with the memory that is kept for the next batch. */
const KEPT_BYTES = 2 ** 20;
/** Deletes of a column after which the next synced batch moves its data into files. */
const MAX_DELETES = 10_000;
/** Bytes of batches after which the data of columns that are not of high volume is moved into files. */
const MAX_LOG_BYTES = 32 * 2 ** 20;
/** Memtables that go into one file. */
const MEMTABLES_OF_A_FILE = 2;

/** A column of the database. */
class WriterColumn {
  /** For the binding's calls. */
  readonly options: { readonly column: Column };
  readonly spec: WrittenColumn;
  /** The last key that was written; undefined when nothing was since the data was moved into files. */
  lastKey: Uint8Array | undefined;
  deletes = 0;

  constructor(column: Column, spec: WrittenColumn) {
    this.options = { column };
    this.spec = spec;
  }
}

/** Writes to a database. */
export class Writer {
  readonly #binding: Binding;
  readonly #db: Context;
  readonly #columns: readonly WriterColumn[];
  /** Native memory that is freed only by garbage collection, of which this thread has little: so it is used again. */
  #batch: Batch;
  /** Bytes of batches since the small columns were flushed. */
  #logBytes = 0;

  /** `specs` has as many items as `columns`. */
  constructor(binding: Binding, db: Context, columns: readonly Column[], specs: readonly WrittenColumn[]) {
    this.#binding = binding;
    this.#db = db;
    this.#columns = columns.map((column, i) => new WriterColumn(column, specs[i]!));
    this.#batch = binding.batch_init();
  }

  /** Does a task; its errors are the binding's. */
  run(task: WriterTask): Done<undefined> {
    if (task.kind === "batch") this.#write(task.packed, task.sync);
    else if (task.kind === "clear") this.#clear(this.#columns[task.column]!, task.from, task.to);
    else this.#fill(this.#columns[task.column]!);
    return { result: undefined, transfer: [] };
  }

  #write(packed: Uint8Array, sync: boolean): void {
    const binding = this.#binding;
    const batch = this.#batch;
    try {
      unpackOperations(
        packed,
        (number, key, value) => {
          const column = this.#columns[number]!;
          binding.batch_put(batch, key, value, column.options);
          column.lastKey = key;
        },
        (number, key) => {
          const column = this.#columns[number]!;
          binding.batch_del(batch, key, column.options);
          column.lastKey = key;
          column.deletes++;
        },
      );
      binding.batch_write(this.#db, batch, { sync });
    } finally {
      binding.batch_clear(batch);
      if (packed.length > KEPT_BYTES) this.#batch = binding.batch_init();
    }
    this.#logBytes += packed.length;
    try {
      const deleted = sync ? this.#columns.filter(({ deletes }) => deletes > MAX_DELETES) : [];
      for (const column of deleted) this.#flush(column);
      if (deleted.length > 0 || this.#logBytes > MAX_LOG_BYTES) this.#releaseLogs();
    } catch {
      // The batch is written. If the database has failed, the next one will tell.
    }
  }

  #clear(column: WriterColumn, from: Uint8Array, to: Uint8Array): void {
    this.#binding.db_clear(this.#db, { ...column.options, gte: from, lt: to });
    // One delete for any number of entries: what they took is free after the next synced batch.
    column.lastKey = from;
    column.deletes = Number.POSITIVE_INFINITY;
  }

  /**
   * RocksDB keeps a log file while any column has data of it in memory, and columns with little data would keep theirs for hours.
   */
  #releaseLogs(): void {
    for (const column of this.#columns) if (!column.spec.isLarge) this.#flush(column);
    this.#logBytes = 0;
  }

  /** Moves what is in memory of a column into a file. Deletes that are in files are compacted with what they delete. */
  #flush(column: WriterColumn): void {
    if (column.lastKey === undefined) return;
    for (let i = 0; i < MEMTABLES_OF_A_FILE; i++) this.#fill(column);
    this.#logBytes += MEMTABLES_OF_A_FILE * column.spec.memtableBytes;
    column.lastKey = undefined;
  }

  /**
   * Makes a column's memtable full, as the binding has no call that moves it into a file: by a value that the same batch replaces by
   * the one that was there. The empty batch lets RocksDB begin.
   */
  #fill(column: WriterColumn): void {
    const { lastKey: key = Uint8Array.of(0), options } = column;
    column.deletes = 0;
    const binding = this.#binding;
    const [value] = binding.db_get_many_sync(this.#db, [key], options);
    const batch = binding.batch_init();
    binding.batch_put(batch, key, Buffer.alloc(column.spec.memtableBytes), options);
    if (value === undefined) binding.batch_del(batch, key, options);
    else binding.batch_put(batch, key, value, options);
    binding.batch_write(this.#db, batch, { sync: false });
    binding.batch_clear(batch);
    binding.batch_write(this.#db, batch, { sync: false });
  }
}
