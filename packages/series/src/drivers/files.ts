/** Stores that are files of this package: no database, so no native dependency. */
import type { Driver } from "./driver.js";

/** The driver of such a store. It has no calls: `openSeries` knows it. */
export interface FilesDriver {
  readonly name: "files";
  readonly open?: never;
}

/**
 * The store owns its files: immutable blocks of points, in the folder `path`. It runs wherever Node runs. Any number of processes may
 * open it for reading beside the one that writes.
 *
 * @example
 * const series = await openSeries({ path: "./history", driver: files() });
 */
export function files(): FilesDriver {
  return { name: "files" };
}

/** True for the driver of {@link files}. */
export function isFilesDriver(driver: Driver | FilesDriver): driver is FilesDriver {
  return driver.name === "files" && driver.open === undefined;
}
