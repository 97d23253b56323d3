/** An open store: its calls as calls of maps. */

import { type Entry, type Operation, type RangeOptions, type Store, StoreCalls } from "@moonpack/series/drivers";
import { type Column, columnOf } from "./columns.js";
import { clusterError, readOnlyError } from "./errors.js";
import { KeyRange } from "./key-range.js";
import { textOf } from "./keys.js";
import { RangeReader } from "./range-reader.js";
import { valuesOf } from "./values.js";
import type { MapWriter } from "./writer.js";

/** A store that this process has taken. */
export class ClusterStore implements Store {
  readonly #columns: readonly Column[];
  readonly #readOnly: boolean;
  readonly #writer: MapWriter;
  readonly #release: () => Promise<void>;
  /** The last write. Each waits for the one before: they take effect in their order. */
  #lastWrite: Promise<void> = Promise.resolve();
  readonly #calls = new StoreCalls();

  /** `release` is called when the store is closed, and all its calls have ended. */
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

  /** No snapshot: an entry that is written or deleted while the range is read may be seen or not. */
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

  /** The bytes that the column's entries have, estimated from some of them: members do not tell a client how much they store. */
  async size(column: number): Promise<number> {
    const { name, map } = columnOf(this.#columns, column);
    const count = await this.#call(name, () => map.size());
    for await (const piece of this.range(column, FIRST_KEY, AFTER_KEYS)) {
      const bytes = piece.reduce((sum, [key, value]) => sum + 2 * key.length + value.length, 0);
      return Math.round((bytes / piece.length) * count);
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
/** No key of a store begins with so many of these bytes. */
const AFTER_KEYS = /* @__PURE__ */ new Uint8Array(9).fill(0xff);
