/** The databases that a store can stand on, and the interface for drivers of others: `@moonpack/series/drivers`. */
export { classicLevel } from "./classic-level.js";
export type { ColumnSpec, Driver, Entry, GetOptions, Operation, RangeOptions, Store, StoreOptions } from "./driver.js";
export { type FilesDriver, files } from "./files.js";
export { memory } from "./memory.js";
export { rocksdb } from "./rocksdb.js";
export { StoreCalls } from "./store-calls.js";
