/** `@moonpack/series-kv`: stores of `@moonpack/series` whose points are in a key-value database. */
export { classicLevel, memoryDatabase, rocksdb } from "./databases.js";
export type {
  ColumnSpec,
  Driver,
  Entry,
  GetOptions,
  Operation,
  RangeOptions,
  Store,
  StoreOptions,
} from "./drivers/driver.js";
export { StoreCalls } from "./drivers/store-calls.js";
export { kv, type SeriesDatabase } from "./key-value/kv.js";
