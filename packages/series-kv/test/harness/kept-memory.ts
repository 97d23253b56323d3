/**
 * Databases in memory that outlive their stores, and know what is on the medium: batches up to the last one that was written with
 * `sync`. They give the databases that a next process finds after this one was killed, or after the power failed.
 *
 * After a power cut a prefix of the batches is there, at least up to the last synced one: as with a database whose log is one file
 * after the other. This does not cover media that lie about what they have, nor LevelDB's change of log files, where a synced batch
 * may survive unsynced ones before it.
 */
import { kv, memoryDatabase, type SeriesDatabase } from "../../build/index.js";
import type { Operation, Store, StoreOptions } from "../../src/drivers/driver.ts";

/** A batch, or a range that was deleted. */
type Change = readonly Operation[] | { readonly column: number; readonly from: Uint8Array; readonly to: Uint8Array };

/** Entries by column, then by the text of their keys: it is ordered as the keys are. */
class Entries {
  readonly columns: Map<string, readonly [Uint8Array, Uint8Array]>[] = [];

  column(number: number): Map<string, readonly [Uint8Array, Uint8Array]> {
    return (this.columns[number] ??= new Map());
  }

  apply(change: Change): void {
    if ("from" in change) {
      const [from, to] = [textOf(change.from), textOf(change.to)];
      const column = this.column(change.column);
      for (const key of column.keys()) if (key >= from && key < to) column.delete(key);
      return;
    }
    for (const { column, key, value } of change) {
      if (value === undefined) this.column(column).delete(textOf(key));
      else this.column(column).set(textOf(key), [key, value]);
    }
  }

  copy(): Entries {
    const copy = new Entries();
    for (const column of this.columns) copy.columns.push(new Map(column));
    return copy;
  }
}

/** The content of one database. */
class Content {
  readonly synced: Entries;
  readonly unsynced: Change[] = [];
  readonly now: Entries;
  isOpen = false;

  constructor(entries = new Entries()) {
    this.synced = entries;
    this.now = entries.copy();
  }

  add(change: Change): void {
    this.unsynced.push(change);
    this.now.apply(change);
  }

  sync(): void {
    for (const change of this.unsynced) this.synced.apply(change);
    this.unsynced.length = 0;
  }

  /** The content with the first `kept` changes that are not synced. */
  copy(kept: number): Content {
    const entries = this.synced.copy();
    for (const change of this.unsynced.slice(0, kept)) entries.apply(change);
    return new Content(entries);
  }
}

/** See above. */
export class KeptMemory {
  readonly #databases: Map<string, Content>;

  constructor(databases = new Map<string, Content>()) {
    this.#databases = databases;
  }

  /** The driver of these databases, by their paths. */
  driver(): SeriesDatabase {
    return kv({ name: "kept", open: (path, options) => this.#open(String(path), options) });
  }

  /** The state for the next process after a kill. `moved` maps paths to the paths of a copy. */
  afterKill(moved: (path: string) => string = (path) => path): KeptMemory {
    return this.#copy((unsynced) => unsynced, moved);
  }

  /** The state for the next process after a power failure. `chance` returns numbers from 0 up to 1. */
  afterPowerLoss(chance: () => number): KeptMemory {
    return this.#copy((unsynced) => Math.floor(chance() * (unsynced + 1)));
  }

  #copy(kept: (unsynced: number) => number, moved = (path: string) => path): KeptMemory {
    const copies = [...this.#databases].map(([path, content]): [string, Content] => [
      moved(path),
      content.copy(kept(content.unsynced.length)),
    ]);
    return new KeptMemory(new Map(copies));
  }

  async #open(path: string, options: StoreOptions): Promise<Store> {
    const content = this.#databases.get(path) ?? new Content();
    if (content.isOpen) throw Object.assign(new Error("open already"), { code: "ERR_SERIES_LOCKED" });
    content.isOpen = true;
    this.#databases.set(path, content);
    content.sync();
    const store = await memoryDatabase().open(undefined, { ...options, readOnly: false });
    for (let column = 0; column < options.columns.length; column++) {
      const entries = [...content.now.column(column).values()];
      await store.batch(
        entries.map(([key, value]) => ({ column, key, value })),
        { sync: false },
      );
    }
    return new KeptStore(store, content, options.readOnly);
  }
}

class KeptStore implements Store {
  readonly #store: Store;
  readonly #content: Content;
  readonly #isReadOnly: boolean;
  readonly range: Store["range"];
  readonly size: Store["size"];

  constructor(store: Store, content: Content, isReadOnly: boolean) {
    this.#store = store;
    this.#content = content;
    this.#isReadOnly = isReadOnly;
    this.range = (column, from, to, options) => store.range(column, from, to, options);
    this.size = (column) => store.size(column);
  }

  /** By a Map: a store that was just opened asks for many keys. */
  async getMany(column: number, keys: readonly Uint8Array[]): Promise<(Uint8Array | undefined)[]> {
    const entries = this.#content.now.column(column);
    return keys.map((key) => entries.get(textOf(key))?.[1]);
  }

  async batch(operations: readonly Operation[], options: { readonly sync: boolean }): Promise<void> {
    this.#checkWritable();
    await this.#store.batch(operations, options);
    this.#content.add(
      operations.map(({ column, key, value }) => ({ column, key: key.slice(), value: value?.slice() })),
    );
    if (options.sync) this.#content.sync();
  }

  async deleteRange(column: number, from: Uint8Array, to: Uint8Array): Promise<void> {
    this.#checkWritable();
    await this.#store.deleteRange(column, from, to);
    this.#content.add({ column, from: from.slice(), to: to.slice() });
  }

  async close(): Promise<void> {
    this.#content.isOpen = false;
    await this.#store.close();
  }

  #checkWritable(): void {
    if (this.#isReadOnly) throw new Error("a write into a store that is open for reading");
  }
}

function textOf(key: Uint8Array): string {
  return Buffer.from(key.buffer, key.byteOffset, key.length).toString("latin1");
}
