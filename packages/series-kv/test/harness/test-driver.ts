/** A driver whose calls wait, fail or are looked at when a test says so. The calls go to another one. */
import { kv, type SeriesDatabase } from "../../build/index.js";
import type { Driver, Operation, Store, StoreOptions } from "../../src/drivers/driver.ts";

/** A call of a store. A batch has `operations`. */
export interface StoreCall {
  readonly kind: "getMany" | "batch" | "deleteRange" | "range" | "size" | "compact";
  readonly column?: number;
  readonly operations?: readonly Operation[];
  readonly sync?: boolean;
}

/** See above. */
export class TestDriver implements SeriesDatabase {
  readonly name: string;
  readonly #inner: Driver;
  /** Is asked before each call; the call waits for what it returns, and fails with what it throws. */
  before: (call: StoreCall) => Promise<void> | undefined | void = () => undefined;
  /** As {@link before}, after the inner call has ended well. */
  after: (call: StoreCall) => Promise<void> | undefined | void = () => undefined;
  /** The inner store that was opened last: tests look into it, and damage it. */
  store!: Store;
  /** Calls that have begun and not ended, without those that wait for {@link before}. */
  running = 0;

  constructor(inner: Driver) {
    this.#inner = inner;
    this.name = inner.name;
  }

  openStore(settings: Parameters<SeriesDatabase["openStore"]>[0]): ReturnType<SeriesDatabase["openStore"]> {
    return kv(this).openStore(settings);
  }

  async open(path: string | undefined, options: StoreOptions): Promise<Store> {
    const store = await this.#inner.open(path, options);
    this.store = store;
    const call = async <T>(what: StoreCall, act: () => Promise<T>): Promise<T> => {
      await this.before(what);
      this.running++;
      let result: T;
      try {
        result = await act();
      } finally {
        this.running--;
      }
      await this.after(what);
      return result;
    };
    return {
      getMany: (column, keys, getOptions) =>
        call({ kind: "getMany", column }, () => store.getMany(column, keys, getOptions)),
      batch: (operations, batchOptions) =>
        call({ kind: "batch", operations, sync: batchOptions.sync }, () => store.batch(operations, batchOptions)),
      deleteRange: (column, from, to) =>
        call({ kind: "deleteRange", column }, () => store.deleteRange(column, from, to)),
      async *range(column, from, to, rangeOptions) {
        const pieces = store.range(column, from, to, rangeOptions)[Symbol.asyncIterator]();
        try {
          for (;;) {
            const piece = await call({ kind: "range", column }, () => pieces.next());
            if (piece.done) return;
            yield piece.value;
          }
        } finally {
          await pieces.return?.();
        }
      },
      size: (column) => call({ kind: "size", column }, () => store.size(column)),
      ...(store.cached && { cached: (column: number, key: Uint8Array) => store.cached!(column, key) }),
      ...(store.compact && {
        compact: (column: number) => call({ kind: "compact", column }, async () => store.compact!(column)),
      }),
      close: () => store.close(),
    };
  }
}
