/** LevelDB by the package classic-level, for platforms without a RocksDB binary. Columns are prefixes of keys in one database. */
import { statfs } from "node:fs/promises";
import { storeError } from "@moonpack/series/driver";
import type { ClassicLevel } from "classic-level";
import { invalidArgument } from "moonpack/bytes";
import { columnSpecs, ofColumn } from "./columns.js";
import type { Driver, Entry, Operation, RangeOptions, Store } from "./driver.js";
import { bytesOf, databaseFolder } from "./folder.js";
import { ReadOnlyStore } from "./read-only.js";
import { ReopeningStore } from "./reopening.js";
import { StoreCalls } from "./store-calls.js";

/** Maximum bytes and entries of a chunk of a range. */
const PIECE_BYTES = 65_536;
const PIECE_ENTRIES = 4096;
/** Number of deletes in a column after which the next synced batch compacts it: LevelDB would keep the deleted data. */
const MAX_DELETES = 10_000;
/** Free bytes that LevelDB needs on disk to open a database, besides the size of its log. */
const OPENING_BYTES = 2 ** 20;

type Database = ClassicLevel<Uint8Array, Uint8Array>;

/**
 * Returns the driver for LevelDB. Needs the package `classic-level`, which must be installed separately.
 *
 * `readOnly` refuses writes of the store. LevelDB itself may still write: it needs a writable folder and the lock.
 */
export function classicLevelDriver(): Driver {
  return {
    name: "classic-level",
    async open(path, options) {
      const { readOnly } = options;
      const names = columnSpecs(options).map(({ name }) => name);
      const folder = await databaseFolder(path, readOnly, "classic-level");
      const { ClassicLevel } = await load();
      const open = async () => {
        const db: Database = new ClassicLevel(folder, {
          createIfMissing: !readOnly,
          keyEncoding: "view",
          valueEncoding: "view",
          cacheSize: options.maxCacheBytes,
        });
        try {
          await db.open();
        } catch (error) {
          throw storeError(error, "classic-level");
        }
        return new ClassicStore(db, names);
      };
      const store = await open();
      if (readOnly) return new ReadOnlyStore(store);
      return new ReopeningStore({ open, mustReopen: () => true, checkBefore: () => checkSpace(folder) }, store);
    },
  };
}

async function load(): Promise<typeof import("classic-level")> {
  try {
    return await import("classic-level");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw storeError(error, "classic-level");
    throw invalidArgument("classicLevel() needs a package that is missing: npm install classic-level@3", error);
  }
}

/** Throws if the disk is too full to open the database: opening writes the log into a table. */
async function checkSpace(folder: string): Promise<void> {
  try {
    const { bavail, bsize } = await statfs(folder);
    if (bavail * bsize > (await bytesOf(folder, ".log")) + OPENING_BYTES) return;
    throw new Error("no space left on the device");
  } catch (error) {
    throw storeError(error, "classic-level");
  }
}

class ClassicStore implements Store {
  readonly #db: Database;
  readonly #names: readonly string[];
  readonly #prefixes: readonly Uint8Array[];
  /** Number of deletes in each column since its compaction. */
  readonly #deletes: number[];
  /** The last write. Each write waits for the one before: after a failed one LevelDB would write behind a torn record. */
  #lastWrite: Promise<void> = Promise.resolve();
  #failure: Error | undefined;
  readonly #calls = new StoreCalls();

  constructor(db: Database, names: readonly string[]) {
    this.#db = db;
    this.#names = names;
    this.#prefixes = names.map((name) => Buffer.from(`${name}!`));
    this.#deletes = names.map(() => 0);
  }

  async getMany(column: number, keys: readonly Uint8Array[]): Promise<(Uint8Array | undefined)[]> {
    const prefix = ofColumn(this.#prefixes, column);
    return await this.#call(column, () => this.#db.getMany(keys.map((key) => joined(prefix, key))));
  }

  async batch(operations: readonly Operation[], { sync }: { readonly sync: boolean }): Promise<void> {
    const list = operations.map(({ column, key, value }) => {
      const full = joined(ofColumn(this.#prefixes, column), key);
      return value === undefined ? { type: "del" as const, key: full } : { type: "put" as const, key: full, value };
    });
    await this.#write(() => this.#db.batch(list, { sync }));
    for (const { column, value } of operations) if (value === undefined) this.#deletes[column]!++;
    if (sync) this.#compactDeleted();
  }

  async deleteRange(column: number, from: Uint8Array, to: Uint8Array): Promise<void> {
    const prefix = ofColumn(this.#prefixes, column);
    await this.#write(() => this.#db.clear({ gte: joined(prefix, from), lt: joined(prefix, to) }));
    this.#deletes[column] = MAX_DELETES + 1;
  }

  async *range(
    column: number,
    from: Uint8Array,
    to: Uint8Array,
    { reverse = false, keysOnly = false }: RangeOptions = {},
  ): AsyncGenerator<Entry[]> {
    const prefix = ofColumn(this.#prefixes, column);
    this.#calls.assertOpen();
    const iterator = this.#db.iterator({
      gte: joined(prefix, from),
      lt: joined(prefix, to),
      reverse,
      values: !keysOnly,
      highWaterMarkBytes: PIECE_BYTES,
    });
    try {
      for (;;) {
        const entries = await this.#call(column, () => iterator.nextv(PIECE_ENTRIES));
        if (entries.length === 0) return;
        yield entries.map(([key, value]): Entry => [key.subarray(prefix.length), value ?? new Uint8Array(0)]);
      }
    } finally {
      await iterator.close();
    }
  }

  async size(column: number): Promise<number> {
    const [from, to] = this.#bounds(column);
    return await this.#call(column, () => this.#db.approximateSize(from, to));
  }

  async compact(column: number): Promise<void> {
    const [from, to] = this.#bounds(column);
    this.#deletes[column] = 0;
    await this.#call(column, () => this.#db.compactRange(from, to));
  }

  #compactDeleted(): void {
    this.#deletes.forEach((deletes, column) => {
      // Not awaited. If the database has failed, the next write fails.
      if (deletes > MAX_DELETES) this.compact(column).catch(() => {});
    });
  }

  async close(): Promise<void> {
    if (!(await this.#calls.close())) return;
    try {
      await this.#db.close();
    } catch (error) {
      throw storeError(error, "classic-level");
    }
  }

  /** The first key of a column, and the first key after the column: `"` follows `!`. */
  #bounds(column: number): [Uint8Array, Uint8Array] {
    const name = ofColumn(this.#names, column);
    return [Buffer.from(`${name}!`), Buffer.from(`${name}"`)];
  }

  #write(act: () => Promise<void>): Promise<void> {
    const write = this.#call(undefined, async () => {
      await this.#lastWrite;
      if (this.#failure !== undefined) throw this.#failure;
      await act();
    });
    this.#lastWrite = write.catch((error) => {
      this.#failure ??= error;
    });
    return write;
  }

  #call<T>(column: number | undefined, act: () => Promise<T>): Promise<T> {
    const place = column === undefined ? {} : { column: this.#names[column]! };
    return this.#calls.run(act, (error) => storeError(error, "classic-level", place));
  }
}

/** Returns a key of the database: the column's prefix and the key. */
function joined(prefix: Uint8Array, key: Uint8Array): Uint8Array {
  const bytes = Buffer.allocUnsafe(prefix.length + key.length);
  bytes.set(prefix);
  bytes.set(key, prefix.length);
  return bytes;
}
