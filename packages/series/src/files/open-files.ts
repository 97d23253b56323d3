/** Opens the files of a store: acquires the lock, reads the manifest, deletes files that are not in it. */
import { join } from "node:path";
import { invalidArgument } from "moonpack/bytes";
import { refuseUnfinished } from "../backup/backup-folder.js";
import { storeError } from "../drivers/store-error.js";
import { SeriesError } from "../errors.js";
import { MEMORY_FOLDER } from "../file-system/memory-file-system.js";
import { type FolderLock, makeFolders, type StoreFileSystem } from "../file-system/store-file-system.js";
import { logNumbers } from "../log/log-files.js";
import { FIRST_MANIFEST, LOG_NAMES, type Manifest, newId } from "../manifest/manifest.js";
import { readManifest, removeUnnamed, writeManifest } from "../manifest/manifest-files.js";
import type { Settings } from "../options.js";
import { withDefinitions } from "../summarize/record.js";
import { Ballast } from "./ballast.js";
import { OpenedFiles } from "./block-store.js";
import { FileStore } from "./file-store.js";

/**
 * Opens the files, and creates them if they do not exist. Throws the errors of `openSeries`. `isMigration`: the folder of an unfinished
 * migration, which cannot be opened otherwise.
 */
export async function openFiles(
  settings: Settings,
  fileSystem: StoreFileSystem,
  isMigration = false,
): Promise<OpenedFiles> {
  const { readOnly, maxCacheBytes } = settings;
  const path = settings.path ?? MEMORY_FOLDER;
  let lock: FolderLock | undefined;
  try {
    await refuseOthers(fileSystem, path, readOnly);
    if (!readOnly) {
      await makeFolders(fileSystem, path);
      lock = await fileSystem.lock(path);
    }
    if (settings.path !== undefined && !isMigration) await refuseUnfinished(path);
    const manifest = await openManifest(fileSystem, path, settings);
    if (!readOnly) {
      // After a kill the manifest's name may not be on disk yet. Until it is, the files of the previous manifest are needed.
      await fileSystem.syncFolder(join(path, "manifest"));
      await removeUnnamed(fileSystem, path, manifest);
      await new Ballast(fileSystem, path).take();
    }
    const store = new FileStore(path, fileSystem, manifest, maxCacheBytes, async () => await lock?.check());
    return new OpenedFiles(store, lock);
  } catch (error) {
    await lock?.release();
    if ((error as NodeJS.ErrnoException).code === "ENOTDIR") throw invalidArgument(`${path} is not a folder`, error);
    throw storeError(error, "the store");
  }
}

/** Throws if the folder contains another kind of store, or is not a store. */
async function refuseOthers(fileSystem: StoreFileSystem, path: string, readOnly: boolean): Promise<void> {
  const isThere = async (name: string) => (await fileSystem.list(join(path, name))).length > 0;
  if (await isThere("kv"))
    throw new SeriesError(
      "ERR_SERIES_VERSION",
      `${path} contains a store of format 1, a database: open it with the driver that created it, such as rocksdb() of @moonpack/series-kv, or copy it with migrate()`,
    );
  if (!readOnly || (await isThere("manifest"))) return;
  await refuseLost(fileSystem, path);
  throw new SeriesError("ERR_SERIES_STORE", `${path} does not contain a store, and readOnly does not create one`);
}

async function openManifest(fileSystem: StoreFileSystem, path: string, settings: Settings): Promise<Manifest> {
  const { readOnly, summarize, retention } = settings;
  const manifest = await readManifest(fileSystem, path);
  if (manifest !== undefined) {
    const summaries = withDefinitions(manifest.summaries, summarize, settings.now(), retention);
    const isChanged = JSON.stringify(summaries) !== JSON.stringify(manifest.summaries);
    if (readOnly || !(manifest.isBackup || isChanged)) return manifest;
    // From here on a backup is another store: a later backup must not replace what is written to it.
    const id = manifest.isBackup ? newId() : manifest.id;
    const next = { ...manifest, number: manifest.number + 1, id, isBackup: false, summaries };
    await writeManifest(fileSystem, path, next);
    return next;
  }
  if (readOnly)
    throw new SeriesError("ERR_SERIES_STORE", `${path} does not contain a store, and readOnly does not create one`);
  await refuseLost(fileSystem, path);
  // A new store has no points that retention could have deleted.
  const summaries = withDefinitions([], summarize, 0, Number.POSITIVE_INFINITY);
  const first = { ...FIRST_MANIFEST, number: 1, id: newId(), summaries };
  await writeManifest(fileSystem, path, first);
  return first;
}

/**
 * Throws if the folder is what is left of a store whose manifests are lost. A new store would delete its files. Only a log from its first
 * file on has everything that was ever written.
 */
async function refuseLost(fileSystem: StoreFileSystem, path: string): Promise<void> {
  const lost = (what: string) =>
    new SeriesError("ERR_SERIES_CORRUPT", `${path} has ${what} but no manifest: repair() builds a new one`, {
      file: "manifest",
    });
  for (const [folder, ending] of [
    ["blocks", ".blk"],
    ["names", ".nam"],
  ] as const)
    if ((await fileSystem.list(join(path, folder))).some((name) => name.endsWith(ending))) throw lost(folder);
  for (const folder of LOG_NAMES) {
    const [first] = logNumbers(await fileSystem.list(join(path, folder)));
    if (first !== undefined && (first > 1 || folder !== FIRST_MANIFEST.log)) throw lost("a part of a log");
  }
}
