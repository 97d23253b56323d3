/** Checks the folder of a database before the database is opened. */
import { mkdir, readdir, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { SeriesError } from "@moonpack/series";
import { storeError } from "@moonpack/series/driver";
import { invalidArgument } from "moonpack/bytes";

/** The names of drivers whose databases have folders, each with the call that returns the driver, for error texts. */
const DATABASES = /* @__PURE__ */ Object.freeze({
  rocksdb: { name: "RocksDB", call: "rocksdb()" },
  "classic-level": { name: "LevelDB", call: "classicLevel()" },
});
type DriverName = keyof typeof DATABASES;

/**
 * Returns the absolute path of a database's folder, which is created if it does not exist. In RocksDB and LevelDB a file `CURRENT` names
 * the list of files. Without it they would start a new database and delete the files of the old one.
 *
 * Throws `ERR_INVALID_ARGUMENT` for a folder of the other database: each can partly open the files of the other one, and would damage them.
 */
export async function databaseFolder(path: string | undefined, readOnly: boolean, driver: DriverName): Promise<string> {
  if (path === undefined) throw invalidArgument(`${driver} needs a path`);
  // The working folder may change while the database is open.
  const folder = resolve(path);
  const names = await namesIn(folder, readOnly, driver);
  const owner = ownerOf(names);
  if (owner !== undefined && owner !== driver) {
    const { name, call } = DATABASES[owner];
    throw invalidArgument(`${folder} contains a database of ${name}: open it with the driver ${call}`);
  }
  if (names.includes("CURRENT")) return folder;
  if (names.some((name) => /\.(sst|ldb)$/.test(name)))
    throw new SeriesError("ERR_SERIES_CORRUPT", `${folder} has data of ${driver}, but its file CURRENT is missing`, {
      file: join(folder, "CURRENT"),
    });
  if (readOnly) throw noDatabase(folder);
  return folder;
}

/**
 * Returns the driver of the database in a folder; undefined without one. RocksDB first writes `IDENTITY`, then its options, and tables end
 * in `.sst`. LevelDB has none of these files.
 */
function ownerOf(names: readonly string[]): DriverName | undefined {
  if (names.some((name) => /^(IDENTITY|OPTIONS-\d+|\d+\.sst)$/.test(name))) return "rocksdb";
  return names.includes("CURRENT") ? "classic-level" : undefined;
}

async function namesIn(folder: string, readOnly: boolean, driver: string): Promise<string[]> {
  try {
    if (!readOnly) await makeFolder(folder);
    return await readdir(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST" || code === "ENOTDIR") throw invalidArgument(`${folder} is not a folder`, error);
    if (code === "ENOENT" && readOnly) throw noDatabase(folder, error);
    throw storeError(error, driver);
  }
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    // On a read-only file system the error is ENOENT with `recursive`, and the real cause without it.
    await makeFolder(dirname(folder));
    await mkdir(folder);
  }
}

function noDatabase(folder: string, cause?: unknown): SeriesError {
  return new SeriesError(
    "ERR_SERIES_STORE",
    `${folder} does not contain a database, and readOnly does not create one`,
    {},
    cause,
  );
}

/** Returns the bytes of a folder's files with one of these extensions. Files that are deleted during the call are not counted. */
export async function bytesOf(folder: string, ...endings: string[]): Promise<number> {
  const names = (await readdir(folder)).filter((name) => endings.some((ending) => name.endsWith(ending)));
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(folder, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
