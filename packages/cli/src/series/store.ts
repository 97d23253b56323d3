/** Opens stores for the commands, and names the store in their errors. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Series, SeriesDriver, SeriesOptions } from "@moonpack/series";
import { MoonpackError } from "moonpack/bytes";
import { DataError, describeError, Failure } from "../shared/failure.js";
import { makeFolder } from "../shared/folders.js";
import { detail } from "../shared/messages.js";
import { statusOf } from "../shared/status.js";

/** The drivers that `--driver` names. */
export const DRIVERS = ["files", "rocksdb", "classic-level"] as const;
export type DriverName = (typeof DRIVERS)[number];

/** The folders in a store's folder by which it is recognised: of a store that owns its files, and of one in a database. */
const MANIFEST = "manifest";
const DATABASE = "kv";

/** The arguments for opening a store. */
export interface StoreRequest {
  /** The absolute path of the store's folder. */
  readonly path: string;
  /** Default: the driver that created the store; for a new store `files`. */
  readonly driver: DriverName | undefined;
}

/** Opens a store, runs `act` and always closes the store. Errors of the store become one line with its path. */
export async function withSeries<Result>(
  { path, driver }: StoreRequest,
  options: Omit<SeriesOptions, "path" | "driver">,
  act: (series: Series) => Promise<Result>,
): Promise<Result> {
  return await withLateSeries({ path, driver }, options, async (open) => act(await open()));
}

/** Runs `act`, which opens a store by its argument, and closes the store. A store that `act` does not open is not created. */
export async function withLateSeries<Result>(
  { path, driver }: StoreRequest,
  options: Omit<SeriesOptions, "path" | "driver">,
  act: (open: () => Promise<Series>) => Promise<Result>,
): Promise<Result> {
  if (options.readOnly === true) checkExists(path);
  else checkNoOthers(path);
  const place = await storeOptions({ path, driver });
  detail(() => `opens the store ${path} to ${options.readOnly === true ? "read" : "write"}`);
  // Loaded here: the other commands do not need it.
  const { openSeries } = await import("@moonpack/series");
  let opened: Promise<Series> | undefined;
  const start = async (): Promise<Series> => {
    if (options.readOnly !== true) makeFolder(path);
    return await openSeries({ ...options, ...place });
  };
  const open = (): Promise<Series> => (opened ??= start());
  try {
    return await closing(() => opened, act(open));
  } catch (error) {
    if (!(error instanceof MoonpackError)) throw error;
    throw new DataError(path, describeError(error), error);
  }
}

/** Returns the options that a store's folder and driver determine. */
export async function storeOptions({ path, driver }: StoreRequest): Promise<Pick<SeriesOptions, "path" | "driver">> {
  const kind = driverOf(path, driver);
  return { path, ...(kind !== "files" && { driver: await databaseDriver(kind) }) };
}

/** An error of `act` takes precedence over an error of `close`, which it may have caused. */
async function closing<Result>(opened: () => Promise<Series> | undefined, act: Promise<Result>): Promise<Result> {
  let result: Result;
  try {
    result = await act;
  } catch (error) {
    await opened()
      ?.then((series) => series.close())
      .catch(() => {});
    throw error;
  }
  await (await opened())?.close();
  return result;
}

/** True if a folder has a store. */
export function hasStore(path: string): boolean {
  return [MANIFEST, DATABASE].some((name) => statusOf(join(path, name)) !== undefined);
}

/** Throws if the folder of a store does not exist, or does not contain a store. */
export function checkExists(path: string): void {
  const status = statusOf(path);
  if (status === undefined) throw new Failure(`cannot open the store ${path}: no such folder`);
  if (!status.isDirectory()) throw new Failure(`cannot open the store ${path}: it is a file, not a folder`);
  if (!hasStore(path)) throw new Failure(`cannot open the store ${path}: the folder does not contain a store`);
}

/** Refuses a folder with other files: a store is only created in an empty folder. */
export function checkNoOthers(path: string): void {
  const files = filesIn(path);
  if (files.length === 0 || files.includes(MANIFEST) || files.includes(DATABASE)) return;
  const what = "it contains files that are not a store";
  throw new Failure(
    `cannot create a store in the folder ${path}: ${what}; name an empty folder, or one that does not exist`,
  );
}

/**
 * Finds the driver of a store. Each database can partly open the files of the other one and then reports damage, so this checks
 * first.
 */
function driverOf(path: string, wanted: DriverName | undefined): DriverName {
  const found = driverIn(path);
  if (found === undefined || wanted === undefined || wanted === found) return found ?? wanted ?? "files";
  throw new Failure(`cannot open the store ${path} with ${wanted}: it was made with ${found}`);
}

/** The driver that created the store; undefined for a new store. Only RocksDB has files for its options. */
function driverIn(path: string): DriverName | undefined {
  const files = filesIn(join(path, DATABASE));
  if (files.includes("CURRENT")) return files.some((file) => file.startsWith("OPTIONS-")) ? "rocksdb" : "classic-level";
  return filesIn(join(path, MANIFEST)).length > 0 ? "files" : undefined;
}

/** Loads the driver of a database, whose package users install only for such stores. */
async function databaseDriver(kind: Exclude<DriverName, "files">): Promise<SeriesDriver> {
  const drivers = await import("@moonpack/series-kv").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new Failure(`a store in a database needs another package: npm install @moonpack/series-kv`);
  });
  return kind === "rocksdb" ? drivers.rocksdb() : drivers.classicLevel();
}

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // The folder does not exist yet; otherwise the driver reports the error when it opens the store.
    return [];
  }
}
