/** The drivers of this package: stores that own their files. */
import type { SeriesDriver } from "./driver.js";

/** The driver of such a store. It has no calls: `openSeries` knows it. */
export interface FilesDriver {
  readonly name: "files" | "memory";
  readonly openStore?: never;
}

/**
 * The store owns its files: immutable blocks of points, in the folder `path`. It runs wherever Node runs. Any number of processes may
 * open it for reading beside the one that writes. This is the default.
 *
 * @example
 * const series = await openSeries({ path: "./history", driver: files() });
 */
export function files(): FilesDriver {
  return { name: "files" };
}

/**
 * The store is in memory, and is lost when it is closed: for tests, and for data that may be lost. It has no log, and cannot be backed
 * up. Opening it with a path is `ERR_INVALID_ARGUMENT`.
 *
 * @example
 * const series = await openSeries({ driver: memory() });
 */
export function memory(): FilesDriver {
  return { name: "memory" };
}

/** True for a driver of this package. */
export function isFilesDriver(driver: SeriesDriver | FilesDriver): driver is FilesDriver {
  return driver.openStore === undefined;
}
