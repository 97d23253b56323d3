/** The options with which the database is opened: figures are of 7,500 groups with 4 hours of pages that do not compress. */
import type { ColumnSpec, StoreOptions } from "../driver.js";
import type { ColumnOptions, DatabaseOptions } from "./binding.js";
import type { WrittenColumn } from "./thread-data.js";

type Spec = Required<ColumnSpec>;

const KIB = 2 ** 10;
const MIB = 2 ** 20;

/** The parts of a column's budget for memtables after which one of them is full: the binding's choice. */
const MEMTABLES_OF_A_BUDGET = 4;

/**
 * The binding makes memtables of a quarter, and files of an eighth of it. When writes are faster than the disk, memtables take half
 * more. High volume: with 32 MiB, the peak of the process was 50 MB higher and compaction took 14 % less time; with 8 MiB, files
 * would be so small that 100 GB are 100,000 of them, all of which are open. Medium: only levels from the second on are compressed, and
 * the first one takes the budget. With 8 MiB, names and tags of 120,000 metrics had 10 MB, with 1 MiB 6 MB.
 */
function memtableBudget({ volume }: Spec): number {
  if (volume === "low") return 256 * KIB;
  return volume === "medium" ? MIB : 16 * MIB;
}

/** What the threads must know of a column. */
export function writtenColumn(column: Spec): WrittenColumn {
  return {
    name: column.name,
    memtableBytes: memtableBudget(column) / MEMTABLES_OF_A_BUDGET,
    isLarge: column.volume === "high",
  };
}

/** The share of the cache for blocks, by parts: the binding has a cache for each column. Columns of high volume have values in memory. */
function cacheParts({ volume }: Spec): number {
  return volume === "low" ? 1 : volume === "medium" ? 8 : 4;
}

/**
 * The share of the values: a page that is there is read in half the time of one in a block, which is in another thread. With 60 MB of
 * pages and 64 MiB, minutes were read 1.25 times as often as with 0.75.
 */
const VALUES_SHARE = 7 / 8;

function columnOptions(column: Spec, cacheSize: number): ColumnOptions {
  return {
    /*
     * "universal" took half the time for compaction, but kept a deleted hour, 30 % of the store, until its next merge, and a merge of
     * all needs the store's size again. Without any, memtables and logs have no bound. "level" compresses deep levels by ZSTD, always:
     * a quarter of the time of compaction when pages do not get smaller by it.
     */
    compaction: "level",
    memtableMemoryBudget: memtableBudget(column),
    // With a dictionary: for text. It holds a whole file in memory; with files of high volume the peak was 220 MB higher.
    compression: column.compressible && column.volume !== "high",
    // Blocks have 4 KiB. Smaller and larger ones, and a hash index in blocks, made reads of keys no faster.
    cacheSize,
  };
}

/** How the cache's bytes are shared: those for values in the memory of the main thread, and those for blocks in RocksDB. */
export function cacheShares(maxCacheBytes: number): { readonly values: number; readonly blocks: number } {
  const values = Math.floor(maxCacheBytes * VALUES_SHARE);
  return { values, blocks: maxCacheBytes - values };
}

/** The options of a database with these columns. */
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
    // Background threads, one of them for memtables. The series has two threads of its own that write little.
    parallelism: 2,
    // The binding would compress logs by ZSTD, which gains nothing on pages.
    walCompression: false,
    columns: Object.fromEntries([["default", unused], ...list]),
  };
}
