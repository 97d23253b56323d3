/** The drivers of this package, as `openSeries` takes them. */
import { refuseArguments } from "@moonpack/series/driver";
import { classicLevelDriver } from "./drivers/classic-level.js";
import { memoryDriver } from "./drivers/memory.js";
import { rocksdbDriver } from "./drivers/rocksdb.js";
import { kv, type SeriesDatabase } from "./key-value/kv.js";

/**
 * Keeps the store in RocksDB. Each store has one database in its folder, which is locked while it is open.
 *
 * `readOnly` refuses writes of the store. RocksDB itself may still write: it needs a writable folder and the lock.
 *
 * @example
 * const series = await openSeries({ path: "./history", driver: rocksdb() });
 */
export function rocksdb(...none: readonly never[]): SeriesDatabase {
  refuseArguments("rocksdb", none);
  return kv(rocksdbDriver());
}

/** Keeps the store in LevelDB, by the package `classic-level`. */
export function classicLevel(...none: readonly never[]): SeriesDatabase {
  refuseArguments("classicLevel", none);
  return kv(classicLevelDriver());
}

/**
 * Databases in memory, which are lost when they are closed: for tests of drivers. Opening one with a path is `ERR_INVALID_ARGUMENT`: its
 * log would outlive the database.
 */
export function memoryDatabase(...none: readonly never[]): SeriesDatabase {
  refuseArguments("memoryDatabase", none);
  return kv(memoryDriver());
}
