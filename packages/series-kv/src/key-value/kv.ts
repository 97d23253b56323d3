/** Makes a driver of `openSeries` from a driver of a key-value database. */
import type { StoreDriver } from "@moonpack/series/driver";
import { invalidArgument } from "moonpack/bytes";
import type { Driver } from "../drivers/driver.js";
import { openDatabase } from "./open-database.js";

/** A driver of a key-value database that `openSeries` takes. */
export interface SeriesDatabase extends Driver, StoreDriver {}

/**
 * Keeps the points and metrics of a store in a key-value database, as pages of 16 metrics (docs/series-format.md, "Version 1"). Throws
 * `ERR_INVALID_ARGUMENT` for an object without `name` and `open`.
 *
 * @example
 * const series = await openSeries({ path: "./history", driver: kv(myDriver()) });
 */
export function kv(driver: Driver): SeriesDatabase {
  if (typeof driver?.name !== "string" || typeof driver.open !== "function")
    throw invalidArgument("the driver must be an object with name and open(), see docs/series-kv.md");
  return {
    name: driver.name,
    ...(driver.reportsOwner !== undefined && { reportsOwner: driver.reportsOwner }),
    open: (path, options) => driver.open(path, options),
    openStore: (settings) => openDatabase(driver, settings),
  };
}
