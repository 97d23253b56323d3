/** `@moonpack/series/drivers`: the drivers of this package, and the interface for other drivers. */
export { classicLevel } from "./classic-level.js";
export type { ColumnSpec, Driver, Entry, GetOptions, Operation, RangeOptions, Store, StoreOptions } from "./driver.js";
export { type FilesDriver, files } from "./files.js";
export { memory } from "./memory.js";
export { rocksdb } from "./rocksdb.js";
export { StoreCalls } from "./store-calls.js";
