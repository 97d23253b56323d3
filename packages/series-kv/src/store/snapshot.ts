/** A snapshot of a store, to be copied into another store. */
import type { Entry, Operation, Store } from "../drivers/driver.js";
import { COLUMNS, HOURS, INDEX, META, METRICS, MINUTES, metaOperation } from "./columns.js";

/** Before all keys, and after all of them: no key begins with nine such bytes. */
const FIRST_KEY = /* @__PURE__ */ Uint8Array.of(0);
const AFTER_KEYS = /* @__PURE__ */ new Uint8Array(9).fill(0xff);

/** Returns the range of all entries of a column. */
export function allEntries(store: Store, column: number): AsyncIterable<readonly Entry[]> {
  return store.range(column, FIRST_KEY, AFTER_KEYS);
}

/** A range whose first chunk has been read: a snapshot of that time. */
interface StartedRange {
  readonly first: IteratorResult<readonly Entry[]>;
  readonly rest: AsyncIterator<readonly Entry[]>;
}

/** A snapshot of all columns of a store. */
export class StoreSnapshot {
  readonly #columns: readonly StartedRange[];

  constructor(columns: readonly StartedRange[]) {
    this.#columns = columns;
  }

  /** Takes a snapshot. The store must not be written until it resolves. */
  static async take(store: Store): Promise<StoreSnapshot> {
    const columns = COLUMNS.map(async (_, column) => {
      const rest = allEntries(store, column)[Symbol.asyncIterator]();
      return { first: await rest.next(), rest };
    });
    return new StoreSnapshot(await Promise.all(columns));
  }

  /** Copies all entries into an empty store whose log starts with file 1, and whose next id is `next`. */
  async copyTo(target: Store, next: number): Promise<void> {
    for (const column of [METRICS, INDEX, MINUTES, HOURS, META]) await this.#copy(column, target);
    await target.batch([metaOperation("next", next), metaOperation("log", 1)], { sync: true });
  }

  async #copy(column: number, target: Store): Promise<void> {
    const { first, rest } = this.#columns[column]!;
    for (let { value, done } = first; !done; { value, done } = await rest.next())
      await target.batch(
        value.map(([key, bytes]: Entry): Operation => ({ column, key, value: bytes })),
        { sync: false },
      );
  }

  /** Releases the snapshot. */
  async end(): Promise<void> {
    await Promise.all(this.#columns.map(({ rest }) => rest.return?.()));
  }
}
