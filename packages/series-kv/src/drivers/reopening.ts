/**
 * A store that reopens its database after a failed write. After some failures RocksDB and LevelDB refuse all writes, even when the cause
 * is gone; after others LevelDB writes behind a torn record, which its recovery ignores.
 */
import { SeriesError } from "@moonpack/series";
import { closedError } from "@moonpack/series/driver";
import type { Entry, GetOptions, Operation, RangeOptions, Store } from "./driver.js";

/** How to open a database, and when to reopen it. */
export interface Reopening {
  open(): Promise<Store>;
  /** True if the database must be reopened after this error of a write. */
  mustReopen(error: SeriesError): boolean;
  /** Throws if opening would fail, for instance on a full disk. The database then stays open for reads. */
  checkBefore?(): Promise<void>;
}

/** Reopens its database at the first write after a failed one. Ranges that are being read then fail. */
export class ReopeningStore implements Store {
  readonly #how: Reopening;
  /** Undefined if the database was closed and could not be reopened. */
  #store: Store | undefined;
  #mustReopen = false;
  #opening: Promise<Store> | null = null;
  #isClosed = false;

  /** `store` is the result of `how.open()`. */
  constructor(how: Reopening, store: Store) {
    this.#how = how;
    this.#store = store;
  }

  getMany(column: number, keys: readonly Uint8Array[], options?: GetOptions): Promise<(Uint8Array | undefined)[]> {
    return this.#read((store) => store.getMany(column, keys, options));
  }

  cached(column: number, key: Uint8Array): Uint8Array | undefined {
    return this.#store?.cached?.(column, key);
  }

  async batch(operations: readonly Operation[], options: { readonly sync: boolean }): Promise<void> {
    await this.#write((store) => store.batch(operations, options));
  }

  async deleteRange(column: number, from: Uint8Array, to: Uint8Array): Promise<void> {
    await this.#write((store) => store.deleteRange(column, from, to));
  }

  async *range(
    column: number,
    from: Uint8Array,
    to: Uint8Array,
    options?: RangeOptions,
  ): AsyncGenerator<readonly Entry[]> {
    const store = this.#store ?? (await this.#usable());
    try {
      yield* store.range(column, from, to, options);
    } catch (error) {
      if (this.#isClosed || store === this.#store) throw error;
      const text = "a write failed, and the database was opened again while a range was read";
      throw new SeriesError("ERR_SERIES_STORE", text, {}, error);
    }
  }

  size(column: number): Promise<number> {
    return this.#read((store) => store.size(column));
  }

  async compact(column: number): Promise<void> {
    await this.#write(async (store) => store.compact?.(column));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#opening?.catch(() => {});
    await this.#store?.close();
  }

  // Without an await when the database is open: calls must reach it in order, and before it is closed.

  /** Reads are allowed although the database refuses writes. */
  #read<T>(act: (store: Store) => Promise<T>): Promise<T> {
    return this.#store === undefined ? this.#usable().then(act) : act(this.#store);
  }

  #write(act: (store: Store) => Promise<void>): Promise<void> {
    if (this.#store === undefined || this.#mustReopen) return this.#usable().then((store) => this.#act(store, act));
    return this.#act(this.#store, act);
  }

  async #act(store: Store, act: (store: Store) => Promise<void>): Promise<void> {
    try {
      await act(store);
    } catch (error) {
      const isOfDatabase = error instanceof SeriesError && store === this.#store;
      if (isOfDatabase && this.#how.mustReopen(error)) this.#mustReopen = true;
      throw error;
    }
  }

  async #usable(): Promise<Store> {
    if (this.#isClosed) throw closedError();
    this.#opening ??= this.#reopen().finally(() => {
      this.#opening = null;
    });
    return await this.#opening;
  }

  async #reopen(): Promise<Store> {
    if (this.#store !== undefined) {
      await this.#how.checkBefore?.();
      const failed = this.#store;
      this.#store = undefined;
      // The errors of this driver are the reason for reopening.
      await failed.close().catch(() => {});
    }
    const store = await this.#how.open();
    this.#store = store;
    this.#mustReopen = false;
    return store;
  }
}
