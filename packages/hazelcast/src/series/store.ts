/** An open store: maps its calls to calls of the cluster's maps. */
import { type Entry, type Operation, type RangeOptions, type Store, StoreCalls } from "@moonpack/series-kv";
import { type Column, columnOf } from "./columns.js";
import { clusterError, readOnlyError } from "./errors.js";
import { KeyRange } from "./key-range.js";
import { textOf } from "./keys.js";
import { RangeReader } from "./range-reader.js";
import { valuesOf } from "./values.js";
import type { MapWriter } from "./writer.js";

/** A store whose lease this process has. */
export class ClusterStore implements Store {
  readonly #columns: readonly Column[];
  readonly #readOnly: boolean;
  readonly #writer: MapWriter;
  readonly #release: () => Promise<void>;
  /** The last write. Each write waits for the one before, so that writes take effect in order. */
  #lastWrite: Promise<void> = Promise.resolve();
  readonly #calls = new StoreCalls();

  /** `release` is called after the store is closed and all its calls have ended. */
  constructor(columns: readonly Column[], writer: MapWriter, readOnly: boolean, release: () => Promise<void>) {
    this.#columns = columns;
    this.#writer = writer;
    this.#readOnly = readOnly;
    this.#release = release;
  }

  async getMany(column: number, keys: readonly Uint8Array[]): Promise<(Uint8Array | undefined)[]> {
    const one = columnOf(this.#columns, column);
    const texts = keys.map(textOf);
    return await this.#call(one.name, () => valuesOf(one, texts));
  }

  async batch(operations: readonly Operation[]): Promise<void> {
    for (const { column } of operations) columnOf(this.#columns, column);
    await this.#write(undefined, this.#writer.batch(operations));
  }

  async deleteRange(column: number, from: Uint8Array, to: Uint8Array): Promise<void> {
    const { name } = columnOf(this.#columns, column);
    await this.#write(name, this.#writer.deleteRange(column, textOf(from), textOf(to)));
  }

  /** Not a snapshot: an entry that is written or deleted during the read may appear or not. */
  async *range(
    column: number,
    from: Uint8Array,
    to: Uint8Array,
    { reverse = false, keysOnly = false }: RangeOptions = {},
  ): AsyncGenerator<Entry[]> {
    const one = columnOf(this.#columns, column);
    const reader = new RangeReader(one, new KeyRange(one.map, textOf(from), textOf(to), reverse), keysOnly);
    this.#calls.assertOpen();
    while (!reader.isOver) {
      const entries = await this.#call(one.name, () => reader.next());
      if (entries.length > 0) yield entries;
    }
  }

  /** Returns the bytes of the column's entries, estimated from its first chunk: members do not report stored bytes to clients. */
  async size(column: number): Promise<number> {
    const { name, map } = columnOf(this.#columns, column);
    const count = await this.#call(name, () => map.size());
    for await (const chunk of this.range(column, FIRST_KEY, AFTER_KEYS)) {
      const bytes = chunk.reduce((sum, [key, value]) => sum + 2 * key.length + value.length, 0);
      return Math.round((bytes / chunk.length) * count);
    }
    return 0;
  }

  async close(): Promise<void> {
    if (!(await this.#calls.close())) return;
    try {
      await this.#release();
    } catch (error) {
      throw clusterError(error);
    }
  }

  async #write(column: string | undefined, write: () => Promise<void>): Promise<void> {
    if (this.#readOnly) throw readOnlyError();
    await this.#call(column, () => {
      const done = this.#lastWrite.then(write);
      this.#lastWrite = done.catch(() => undefined);
      return done;
    });
  }

  #call<T>(column: string | undefined, act: () => Promise<T>): Promise<T> {
    return this.#calls.run(act, (error) => clusterError(error, column));
  }
}

const FIRST_KEY = /* @__PURE__ */ Uint8Array.of(0);
/** Sorts after all keys of a store: no key begins with nine bytes 0xff. */
const AFTER_KEYS = /* @__PURE__ */ new Uint8Array(9).fill(0xff);
