/**
 * The work of the writing thread. The binding writes and syncs on the calling thread: on the main thread each sealed minute would block the
 * event loop.
 */
import type { Batch, Binding, Column, Context } from "./binding.js";
import { unpackOperations } from "./packing.js";
import type { WrittenColumn } from "./thread-data.js";
import type { Done } from "./worker-loop.js";

/** A task of the thread. */
export type WriterTask =
  | { readonly kind: "batch"; readonly packed: Uint8Array; readonly sync: boolean }
  | { readonly kind: "clear"; readonly column: number; readonly from: Uint8Array; readonly to: Uint8Array }
  | { readonly kind: "fill"; readonly column: number };

/** Larger batches do not use the native batch that is reused. */
const KEPT_BYTES = 2 ** 20;
/** Number of deletes in a column after which the next synced batch moves its data into files. */
const MAX_DELETES = 10_000;
/** Bytes of batches after which the data of low- and medium-volume columns is moved into files. */
const MAX_LOG_BYTES = 32 * 2 ** 20;
/** Number of memtables that are written to one file. */
const MEMTABLES_OF_A_FILE = 2;

/** A column of the database. */
class WriterColumn {
  /** The binding's handle. */
  readonly options: { readonly column: Column };
  readonly spec: WrittenColumn;
  /** The last written key; undefined without writes since the data was moved into files. */
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
  /** A reused native batch: its memory is freed only by garbage collection, which is rare in this thread. */
  #batch: Batch;
  /** Bytes of batches since the small columns were flushed. */
  #logBytes = 0;

  /** `specs` and `columns` have the same length. */
  constructor(binding: Binding, db: Context, columns: readonly Column[], specs: readonly WrittenColumn[]) {
    this.#binding = binding;
    this.#db = db;
    this.#columns = columns.map((column, i) => new WriterColumn(column, specs[i]!));
    this.#batch = binding.batch_init();
  }

  /** Runs a task. Throws errors of the binding. */
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
      // The batch is already written. If the database has failed, the next batch fails.
    }
  }

  #clear(column: WriterColumn, from: Uint8Array, to: Uint8Array): void {
    this.#binding.db_clear(this.#db, { ...column.options, gte: from, lt: to });
    // One delete for any number of entries. Their space is freed after the next synced batch.
    column.lastKey = from;
    column.deletes = Number.POSITIVE_INFINITY;
  }

  /**
   * Moves the data of small columns into files. RocksDB keeps a log file while any column has data of it in memory, and small columns would
   * keep log files for hours.
   */
  #releaseLogs(): void {
    for (const column of this.#columns) if (!column.spec.isLarge) this.#flush(column);
    this.#logBytes = 0;
  }

  /** Moves the memtable of a column into a file. Deletes in files are compacted together with the deleted data. */
  #flush(column: WriterColumn): void {
    if (column.lastKey === undefined) return;
    for (let i = 0; i < MEMTABLES_OF_A_FILE; i++) this.#fill(column);
    this.#logBytes += MEMTABLES_OF_A_FILE * column.spec.memtableBytes;
    column.lastKey = undefined;
  }

  /**
   * Fills up a column's memtable, because the binding has no call that moves it into a file. The batch writes a large value, then restores the
   * old one. The empty batch lets RocksDB start.
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
