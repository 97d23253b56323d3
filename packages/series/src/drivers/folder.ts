/** The folder of a database, before the database is opened in it. */
import { mkdir, readdir, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { invalidArgument } from "moonpack/bytes";
import { SeriesError } from "../errors.js";
import { storeError } from "./store-error.js";

/** The databases that have folders, by the names of their drivers, each with the call that makes the driver. */
const DATABASES = /* @__PURE__ */ Object.freeze({
  rocksdb: { name: "RocksDB", call: "rocksdb()" },
  "classic-level": { name: "LevelDB", call: "classicLevel()" },
});
type DriverName = keyof typeof DATABASES;

/**
 * The absolute path of a database's folder, which is made if it does not exist. RocksDB and LevelDB have in common that a file
 * `CURRENT` names their list of files. Without it they would start a new database, and delete the files of the old one.
 *
 * `ERR_INVALID_ARGUMENT` for a folder of the other database: each opens the files of the other one to some extent, and then writes
 * into them what the other one cannot read.
 */
export async function databaseFolder(path: string | undefined, readOnly: boolean, driver: DriverName): Promise<string> {
  if (path === undefined) throw invalidArgument(`${driver} needs a path`);
  // The working folder may change while the database is open.
  const folder = resolve(path);
  const names = await namesIn(folder, readOnly, driver);
  const owner = ownerOf(names);
  if (owner !== undefined && owner !== driver) {
    const { name, call } = DATABASES[owner];
    throw invalidArgument(`${folder} is a database of ${name}: open it with the driver ${call}`);
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
 * The driver whose database a folder is; undefined for none. RocksDB names its database in `IDENTITY` before anything else, and writes
 * its options; its tables end in `.sst`. LevelDB has none of these.
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
    // So it says on a read-only file system. Without `recursive` it says why.
    await makeFolder(dirname(folder));
    await mkdir(folder);
  }
}

function noDatabase(folder: string, cause?: unknown): SeriesError {
  return new SeriesError("ERR_SERIES_STORE", `there is no database in ${folder}, and readOnly makes none`, {}, cause);
}

/** The bytes of a folder's files whose names end in one of these. Files that vanish meanwhile count as nothing. */
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
