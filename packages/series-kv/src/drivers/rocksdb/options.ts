/** Options of the database. Figures were measured with 7,500 groups and 4 hours of incompressible pages. */
import type { ColumnSpec, StoreOptions } from "../driver.js";
import type { ColumnOptions, DatabaseOptions } from "./binding.js";
import type { WrittenColumn } from "./thread-data.js";

type Spec = Required<ColumnSpec>;

const KIB = 2 ** 10;
const MIB = 2 ** 20;

/** A memtable is full at this fraction of a column's memtable budget, which the binding chooses. */
const MEMTABLES_OF_A_BUDGET = 4;

/**
 * The memtable budget of columns by volume. The binding makes memtables of a quarter, and files of an eighth of it. When writes are faster
 * than the disk, memtables take half more. High volume: with 32 MiB, the peak of the process was 50 MB higher and compaction took 14 %
 * less time; with 8 MiB, 100 GB would be 100,000 files, all of them open. Medium: only levels from the second on are compressed, and the
 * first level takes the budget. With 8 MiB, names and tags of 120,000 metrics took 10 MB, with 1 MiB 6 MB.
 */
function memtableBudget({ volume }: Spec): number {
  if (volume === "low") return 256 * KIB;
  return volume === "medium" ? MIB : 16 * MIB;
}

/** The settings of a column for the threads. */
export function writtenColumn(column: Spec): WrittenColumn {
  return {
    name: column.name,
    memtableBytes: memtableBudget(column) / MEMTABLES_OF_A_BUDGET,
    isLarge: column.volume === "high",
  };
}

/** How columns share the block cache: the binding has one for each column. Values of high-volume columns are cached separately. */
function cacheParts({ volume }: Spec): number {
  return volume === "low" ? 1 : volume === "medium" ? 8 : 4;
}

/**
 * The share of the value cache. A page in it is read in half the time of a page in a block, which is in another thread. With 60 MB of pages
 * and a cache of 64 MiB, reads of minutes were 1.25 times as fast as with 0.75.
 */
const VALUES_SHARE = 7 / 8;

function columnOptions(column: Spec, cacheSize: number): ColumnOptions {
  return {
    /*
     * "universal" took half the time for compaction, but kept a deleted hour, 30 % of the store, until its next merge, and a full merge
     * needs the store's size again. Without compaction, memtables and logs are unbounded. "level" always compresses deep levels with ZSTD,
     * which is a quarter of the compaction time for incompressible pages.
     */
    compaction: "level",
    memtableMemoryBudget: memtableBudget(column),
    // A dictionary, for text only. It needs a whole file in memory; for high-volume columns the peak was 220 MB higher.
    compression: column.compressible && column.volume !== "high",
    // Blocks have 4 KiB. Other sizes, or a hash index in blocks, did not make reads of keys faster.
    cacheSize,
  };
}

/** Divides the bytes of the cache between values in the main thread and blocks in RocksDB. */
export function cacheShares(maxCacheBytes: number): { readonly values: number; readonly blocks: number } {
  const values = Math.floor(maxCacheBytes * VALUES_SHARE);
  return { values, blocks: maxCacheBytes - values };
}

/** Returns the options of a database with these columns. */
export function databaseOptions(columns: readonly Spec[], { readOnly, maxCacheBytes }: StoreOptions): DatabaseOptions {
  const parts = columns.reduce((sum, column) => sum + cacheParts(column), 0);
  const { blocks } = cacheShares(maxCacheBytes);
  const list = columns.map((column) => {
    const cacheSize = Math.floor((blocks * cacheParts(column)) / parts);
    return [column.name, columnOptions(column, cacheSize)] as const;
  });
  // RocksDB always has a column `default`.
  const unused = columnOptions({ name: "default", volume: "low", compressible: false }, 0);
  return {
    createIfMissing: !readOnly,
    // Background threads, one of them for memtables. The driver itself has two more threads, which write little.
    parallelism: 2,
    // The binding would compress logs with ZSTD, which does not make pages smaller.
    walCompression: false,
    columns: Object.fromEntries([["default", unused], ...list]),
  };
}
