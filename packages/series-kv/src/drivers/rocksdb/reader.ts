/**
 * The work of the reading thread. The binding's own reads in the thread pool have two faults: a damaged block in `getMany` is an uncaught
 * exception, and an iterator reads its first block on the calling thread.
 */
import type { Binding, Column, Context, Iterator } from "./binding.js";
import { packList, unpackList } from "./packing.js";
import type { Done } from "./worker-loop.js";

/** A task of the thread. Ranges have numbers. */
export type ReaderTask =
  | { readonly kind: "get"; readonly column: number; readonly keys: Uint8Array }
  | {
      readonly kind: "open";
      readonly range: number;
      readonly column: number;
      readonly from: Uint8Array;
      readonly to: Uint8Array;
      readonly reverse: boolean;
      readonly keysOnly: boolean;
    }
  | { readonly kind: "next"; readonly range: number }
  | { readonly kind: "close"; readonly range: number };

/** Values, or a chunk of a range; `finished` after the last chunk. */
export interface Read {
  readonly packed: Uint8Array;
  readonly finished: boolean;
}

/** Bytes of a chunk of a range. */
const PIECE_BYTES = 65_536;
/** Maximum entries of a chunk: the overhead of small entries counts, too. */
const PIECE_ENTRIES = 4096;

/** Reads from a database. */
export class Reader {
  readonly #binding: Binding;
  readonly #db: Context;
  readonly #columns: readonly { readonly column: Column }[];
  readonly #ranges = new Map<number, Iterator>();

  constructor(binding: Binding, db: Context, columns: readonly Column[]) {
    this.#binding = binding;
    this.#db = db;
    this.#columns = columns.map((column) => ({ column }));
  }

  /** Runs a task. Throws errors of the binding. */
  run(task: ReaderTask): Done<Read> {
    if (task.kind === "get")
      return done(this.#get(this.#columns[task.column]!, unpackList(task.keys) as Uint8Array[]), true);
    if (task.kind === "open") {
      const range = {
        ...this.#columns[task.column]!,
        gte: task.from,
        lt: task.to,
        reverse: task.reverse,
        values: !task.keysOnly,
        highWaterMarkBytes: PIECE_BYTES,
        keyEncoding: "buffer",
        valueEncoding: "buffer",
      } as const;
      this.#ranges.set(task.range, this.#binding.iterator_init(this.#db, range));
    }
    return task.kind === "close" ? this.#close(task.range) : this.#next(task.range);
  }

  #get(column: { readonly column: Column }, keys: Uint8Array[]): Uint8Array<ArrayBuffer> {
    try {
      return packList(this.#binding.db_get_many_sync(this.#db, keys, column));
    } catch (error) {
      const [key] = keys;
      if (keys.length === 1) throw Object.assign(error as Error, { key });
      // The error does not name the key.
      for (const key of keys) this.#get(column, [key]);
      throw error;
    }
  }

  #next(range: number): Done<Read> {
    try {
      const { rows, finished } = this.#binding.iterator_nextv_sync(this.#ranges.get(range)!, PIECE_ENTRIES);
      if (finished) this.#close(range);
      return done(packList(rows), finished);
    } catch (error) {
      this.#close(range);
      throw error;
    }
  }

  #close(range: number): Done<Read> {
    const iterator = this.#ranges.get(range);
    if (iterator !== undefined) this.#binding.iterator_close(iterator);
    this.#ranges.delete(range);
    return done(new Uint8Array(0), true);
  }
}

function done(packed: Uint8Array<ArrayBuffer>, finished: boolean): Done<Read> {
  return { result: { packed, finished }, transfer: [packed.buffer] };
}
