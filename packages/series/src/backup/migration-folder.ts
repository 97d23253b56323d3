/** The folder of a migration. A marker file in it prevents opening an unfinished migration as a store. */
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SeriesError } from "../errors.js";
import { nodeFileSystem } from "../log/file-system.js";

/** The marker file. It contains the name of the migrated store, so that a migration of another one does not continue it. */
const UNFINISHED = "unfinished-migration";

/** Returns the name of the store whose migration into a folder is not finished; undefined for other folders. */
export async function unfinishedMigration(path: string): Promise<string | undefined> {
  try {
    return await readFile(join(path, UNFINISHED), "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw error;
  }
}

/** Creates the folder, or continues in one that an earlier call has created. Throws `ERR_SERIES_STORE` if it has anything else. */
export async function beginMigration(path: string, from: string): Promise<void> {
  const files = nodeFileSystem();
  await files.makeFolder(path);
  const found = await unfinishedMigration(path);
  if (found === from) return;
  const names = (await readdir(path)).filter((name) => name !== UNFINISHED);
  if (names.length > 0) {
    const what = found === undefined ? "is not empty" : `has an unfinished migration of ${found}: delete it`;
    throw new SeriesError("ERR_SERIES_STORE", `a migration needs a new folder: ${path} ${what}`);
  }
  await writeFile(join(path, UNFINISHED), from, { flush: true });
  await files.syncFolder(path);
}

/** Marks the migration as complete. It is on disk when this resolves. */
export async function endMigration(path: string): Promise<void> {
  await rm(join(path, UNFINISHED));
  await nodeFileSystem().syncFolder(path);
}
