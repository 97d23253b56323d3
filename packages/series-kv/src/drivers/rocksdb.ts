/** RocksDB: the default driver. */
import type { SeriesError } from "@moonpack/series";
import { storeError } from "@moonpack/series/driver";
import { columnSpecs } from "./columns.js";
import type { Driver, Store, StoreOptions } from "./driver.js";
import { databaseFolder } from "./folder.js";
import { ReadOnlyStore } from "./read-only.js";
import { ReopeningStore } from "./reopening.js";
import { type Binding, type Context, loadBinding } from "./rocksdb/binding.js";
import { cacheShares, databaseOptions } from "./rocksdb/options.js";
import { RocksStore } from "./rocksdb/store.js";

/**
 * Returns the driver for RocksDB. Each store has one database in its folder, which is locked while it is open.
 *
 * `readOnly` refuses writes of the store. RocksDB itself may still write: it needs a writable folder and the lock.
 */
export function rocksdbDriver(): Driver {
  return {
    name: "rocksdb",
    async open(path, options) {
      const folder = await databaseFolder(path, options.readOnly, "rocksdb");
      const open = () => openFolder(folder, options);
      const store = await open();
      return options.readOnly ? new ReadOnlyStore(store) : new ReopeningStore({ open, mustReopen }, store);
    },
  };
}

/** True unless the disk is full: from that RocksDB recovers without reopening. After other failed writes it refuses all writes. */
function mustReopen({ code }: SeriesError): boolean {
  return code === "ERR_SERIES_STORE" || code === "ERR_SERIES_READ_ONLY";
}

async function openFolder(folder: string, options: StoreOptions): Promise<Store> {
  const specs = columnSpecs(options);
  try {
    const binding = loadBinding();
    const db = binding.db_init(folder);
    await open(binding, db, specs, options);
    return new RocksStore(binding, db, folder, specs, cacheShares(options.maxCacheBytes).values);
  } catch (error) {
    throw storeError(error, "rocksdb");
  }
}

function open(
  binding: Binding,
  db: Context,
  specs: ReturnType<typeof columnSpecs>,
  options: StoreOptions,
): Promise<void> {
  return new Promise((resolve, reject) => {
    binding.db_open(db, databaseOptions(specs, options), (error) => (error === null ? resolve() : reject(error)));
  });
}
