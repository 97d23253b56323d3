/** A store that refuses writes, for databases without a read-only mode. */

import { SeriesError } from "@moonpack/series";
import type { Entry, GetOptions, Operation, RangeOptions, Store } from "./driver.js";

/** Passes reads to `store`; writes fail with `ERR_SERIES_READ_ONLY`. */
export class ReadOnlyStore implements Store {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  getMany(column: number, keys: readonly Uint8Array[], options?: GetOptions): Promise<(Uint8Array | undefined)[]> {
    return this.#store.getMany(column, keys, options);
  }

  cached(column: number, key: Uint8Array): Uint8Array | undefined {
    return this.#store.cached?.(column, key);
  }

  async batch(_operations: readonly Operation[]): Promise<void> {
    throw readOnlyError();
  }

  async deleteRange(): Promise<void> {
    throw readOnlyError();
  }

  range(column: number, from: Uint8Array, to: Uint8Array, options?: RangeOptions): AsyncIterable<readonly Entry[]> {
    return this.#store.range(column, from, to, options);
  }

  size(column: number): Promise<number> {
    return this.#store.size(column);
  }

  async compact(): Promise<void> {
    throw readOnlyError();
  }

  close(): Promise<void> {
    return this.#store.close();
  }
}

/** Returns the error of a write into a read-only store. */
function readOnlyError(): SeriesError {
  return new SeriesError("ERR_SERIES_READ_ONLY", "the store is open for reading");
}
