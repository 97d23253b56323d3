/** The folder of a backup. A marker file in it prevents opening an unfinished backup as a store. */
import { mkdir, open, readdir, rm, rmdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { invalidArgument } from "moonpack/bytes";
import { storeError } from "../drivers/store-error.js";
import { SeriesError } from "../errors.js";
import { nodeFileSystem } from "../log/file-system.js";
import { unfinishedMigration } from "./migration-folder.js";

/** The marker file. It is empty. */
const UNFINISHED = "unfinished-backup";

/** The folder of a backup that is being written. */
export class BackupFolder {
  /** The path of the folder. */
  readonly path: string;
  /** True if the folder did not exist before. */
  readonly #isNew: boolean;

  /** @internal */
  constructor(path: string, isNew: boolean) {
    this.path = path;
    this.#isNew = isNew;
  }

  /** Creates the folder. Throws `ERR_SERIES_STORE` if it is not empty, `ERR_INVALID_ARGUMENT` if it is a file. */
  static async make(path: string): Promise<BackupFolder> {
    try {
      const isNew = (await mkdir(path, { recursive: true })) !== undefined;
      const names = await readdir(path);
      if (names.length > 0) throw notEmpty(path, names);
      await (await open(join(path, UNFINISHED), "wx")).close();
      await nodeFileSystem().syncFolder(path);
      return new BackupFolder(path, isNew);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EEXIST" || code === "ENOTDIR") throw invalidArgument(`${path} is not a new folder`, error);
      throw storeError(error, "the backup");
    }
  }

  /** Marks the backup as complete. It is on disk when this resolves. */
  async finish(): Promise<void> {
    try {
      await rm(join(this.path, UNFINISHED));
      await nodeFileSystem().syncFolder(this.path);
    } catch (error) {
      throw storeError(error, "the backup");
    }
  }

  /** Removes the backup. Files that cannot be removed stay, with the marker file. */
  async discard(): Promise<void> {
    for (const name of ["kv", "log", "manifest", "blocks", "names", UNFINISHED])
      await rm(join(this.path, name), { recursive: true, force: true });
    if (this.#isNew) await rmdir(this.path);
  }
}

function notEmpty(path: string, names: readonly string[]): SeriesError {
  const what = names.includes(UNFINISHED)
    ? "has a backup that was not finished: delete it, unless another process is writing it"
    : "is not empty";
  return new SeriesError("ERR_SERIES_STORE", `a backup needs a new folder: ${path} ${what}`);
}

/** True if a folder has a backup that was not finished, or that is being written. */
export async function isUnfinished(path: string): Promise<boolean> {
  return await stat(join(path, UNFINISHED)).then(
    () => true,
    () => false,
  );
}

/** Throws `ERR_SERIES_CORRUPT` for the folder of a backup or a migration that was not finished. */
export async function refuseUnfinished(path: string): Promise<void> {
  const from = await unfinishedMigration(path);
  if (from !== undefined)
    throw new SeriesError(
      "ERR_SERIES_CORRUPT",
      `${path} is a migration of ${from} that was not finished: migrate again, or delete it`,
    );
  if (await isUnfinished(path))
    throw new SeriesError("ERR_SERIES_CORRUPT", `${path} is a backup that was not finished: delete it`, {
      file: join(path, UNFINISHED),
    });
}
