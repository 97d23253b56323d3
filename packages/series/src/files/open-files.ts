/** Opens the files of a store: acquires the lock, reads the manifest, deletes files that are not in it. */
import { join } from "node:path";
import { invalidArgument } from "moonpack/bytes";
import { refuseUnfinished } from "../backup/backup-folder.js";
import { storeError } from "../drivers/store-error.js";
import { SeriesError } from "../errors.js";
import { MEMORY_FOLDER } from "../file-system/memory-file-system.js";
import { type FolderLock, makeFolders, type StoreFileSystem } from "../file-system/store-file-system.js";
import { FIRST_MANIFEST, type Manifest } from "../manifest/manifest.js";
import { filesOf, readManifest, writeManifest } from "../manifest/manifest-files.js";
import type { Settings } from "../options.js";
import { Ballast } from "./ballast.js";
import { OpenedFiles } from "./block-store.js";
import { FileStore } from "./file-store.js";

/** Opens the files, and creates them if they do not exist. Throws the errors of `openSeries`. */
export async function openFiles(settings: Settings, fileSystem: StoreFileSystem): Promise<OpenedFiles> {
  const { readOnly, maxCacheBytes } = settings;
  const path = settings.path ?? MEMORY_FOLDER;
  let lock: FolderLock | undefined;
  try {
    await refuseOthers(fileSystem, path, readOnly);
    if (!readOnly) {
      await makeFolders(fileSystem, path);
      lock = await fileSystem.lock(path);
    }
    if (settings.path !== undefined) await refuseUnfinished(path);
    const manifest = await openManifest(fileSystem, path, readOnly);
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
      `${path} contains a store of format 1, a database: open it with the driver that created it, such as rocksdb() of @moonpack/series-kv`,
    );
  if (readOnly && !(await isThere("manifest")))
    throw new SeriesError("ERR_SERIES_STORE", `${path} does not contain a store, and readOnly does not create one`);
}

async function openManifest(fileSystem: StoreFileSystem, path: string, readOnly: boolean): Promise<Manifest> {
  const manifest = await readManifest(fileSystem, path);
  if (manifest !== undefined) return manifest;
  if (readOnly)
    throw new SeriesError("ERR_SERIES_STORE", `${path} does not contain a store, and readOnly does not create one`);
  const blocks = await fileSystem.list(join(path, "blocks"));
  if (blocks.some((name) => name.endsWith(".blk")))
    throw new SeriesError("ERR_SERIES_CORRUPT", `${path} has blocks but no manifest: repair() builds a new one`, {
      file: "manifest",
    });
  const first = { ...FIRST_MANIFEST, number: 1 };
  await writeManifest(fileSystem, path, first);
  return first;
}

/** Deletes files that are not in the manifest, which a crash has left. */
async function removeUnnamed(fileSystem: StoreFileSystem, path: string, manifest: Manifest): Promise<void> {
  const named = new Set(filesOf(manifest).map(({ name }) => name));
  for (const folder of ["blocks", "names"])
    for (const name of await fileSystem.list(join(path, folder)))
      if (!named.has(`${folder}/${name}`)) await fileSystem.unlink(join(path, folder, name));
}
