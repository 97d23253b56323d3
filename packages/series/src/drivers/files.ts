/** The drivers of this package: stores that manage their own files. */
import { invalidArgument } from "moonpack/bytes";
import type { SeriesDriver } from "./driver.js";

/** The driver of a store that manages its own files. It has no functions: `openSeries` recognises it. */
export interface FilesDriver {
  /** The kind of store. */
  readonly name: "files" | "memory";
  /** Absent: `openSeries` opens these stores itself. */
  readonly openStore?: never;
}

/**
 * Returns the default driver, of a store that manages its own files: immutable blocks of points in the folder `path`. It runs wherever
 * Node runs. Any number of processes can open the store with `readOnly` while one process writes.
 *
 * @example
 * const series = await openSeries({ path: "./history", driver: files() });
 */
export function files(...none: readonly never[]): FilesDriver {
  refuseArguments("files", none);
  return { name: "files" };
}

/**
 * Keeps the store in memory until it is closed: for tests, and for data that may be lost. It has no log, and cannot be backed
 * up. Opening it with a path is `ERR_INVALID_ARGUMENT`.
 *
 * @example
 * const series = await openSeries({ driver: memory() });
 */
export function memory(...none: readonly never[]): FilesDriver {
  refuseArguments("memory", none);
  return { name: "memory" };
}

/** Throws `ERR_INVALID_ARGUMENT` if the function that returns a driver was called with arguments. */
export function refuseArguments(name: string, given: readonly unknown[]): void {
  if (given.some((argument) => argument !== undefined))
    throw invalidArgument(`${name}() has no arguments: path and other options are options of openSeries`);
}

/** True for a driver of this package. */
export function isFilesDriver(driver: SeriesDriver | FilesDriver): driver is FilesDriver {
  return driver.openStore === undefined;
}
