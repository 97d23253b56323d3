/** The driver of stores that manage their own files: no database, so no native dependency. */
import type { Driver } from "./driver.js";

/** The driver of a store that manages its own files. It has no functions: `openSeries` recognises it. */
export interface FilesDriver {
  readonly name: "files";
  readonly open?: never;
}

/**
 * Returns a driver for a store that manages its own files: immutable blocks of points in the folder `path`. It has no native dependency. Any
 * number of processes can open the store with `readOnly` while one process writes.
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
