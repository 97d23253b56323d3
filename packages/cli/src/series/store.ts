/** Opens stores for the commands, and names the store in their errors. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Series, SeriesOptions } from "@moonpack/series";
import { MoonpackError } from "moonpack/bytes";
import { DataError, describeError, Failure } from "../shared/failure.js";
import { makeFolder } from "../shared/folders.js";
import { statusOf } from "../shared/status.js";

/** The drivers that `--driver` names. */
export const DRIVERS = ["rocksdb", "classic-level"] as const;
export type DriverName = (typeof DRIVERS)[number];

/** The folder of the database in a store's folder. */
const DATABASE = "kv";

/** The arguments for opening a store. */
export interface StoreRequest {
  /** The absolute path of the store's folder. */
  readonly path: string;
  /** Default: the driver that created the store; RocksDB for a new store. */
  readonly driver: DriverName | undefined;
}

/** Opens a store, runs `act` and always closes the store. Errors of the store become one line with its path. */
export async function withSeries<Result>(
  { path, driver }: StoreRequest,
  options: Omit<SeriesOptions, "path" | "driver">,
  act: (series: Series) => Promise<Result>,
): Promise<Result> {
  if (options.readOnly === true) checkExists(path);
  else {
    makeFolder(path);
    checkNoOthers(path);
  }
  const kind = driverOf(path, driver);
  // Loaded here: the bindings of RocksDB take longer to load than the whole command line.
  const { openSeries } = await import("@moonpack/series");
  const drivers = await import("@moonpack/series/drivers");
  try {
    const series = await openSeries({
      ...options,
      path,
      driver: kind === "rocksdb" ? drivers.rocksdb() : drivers.classicLevel(),
    });
    return await closing(series, act);
  } catch (error) {
    if (!(error instanceof MoonpackError)) throw error;
    throw new DataError(path, describeError(error), error);
  }
}

/** An error of `act` takes precedence over an error of `close`, which it may have caused. */
async function closing<Result>(series: Series, act: (series: Series) => Promise<Result>): Promise<Result> {
  let result: Result;
  try {
    result = await act(series);
  } catch (error) {
    await series.close().catch(() => {});
    throw error;
  }
  await series.close();
  return result;
}

function checkExists(path: string): void {
  const status = statusOf(path);
  if (status === undefined) throw new Failure(`cannot open the store ${path}: no such folder`);
  if (!status.isDirectory()) throw new Failure(`cannot open the store ${path}: it is a file, not a folder`);
  if (statusOf(join(path, DATABASE)) === undefined)
    throw new Failure(`cannot open the store ${path}: the folder does not contain a store`);
}

/** Refuses a folder with other files: a store is only created in an empty folder. */
function checkNoOthers(path: string): void {
  const files = filesIn(path);
  if (files.length === 0 || files.includes(DATABASE)) return;
  const what = "it contains files that are not a store";
  throw new Failure(
    `cannot create a store in the folder ${path}: ${what}; name an empty folder, or one that does not exist`,
  );
}

/**
 * Finds the driver of a store. Each database can partly open the files of the other one and then reports damage, so this checks
 * first: only RocksDB has files for its options.
 */
function driverOf(path: string, wanted: DriverName | undefined): DriverName {
  const files = filesIn(join(path, DATABASE));
  if (!files.includes("CURRENT")) return wanted ?? "rocksdb";
  const found = files.some((file) => file.startsWith("OPTIONS-")) ? "rocksdb" : "classic-level";
  if (wanted === undefined || wanted === found) return found;
  throw new Failure(`cannot open the store ${path} with ${wanted}: it was made with ${found}`);
}

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // The folder does not exist yet; otherwise the driver reports the error when it opens the store.
    return [];
  }
}
