/** Opens the files of a store: takes the lock, reads the manifest, deletes what no manifest names. */
import { join } from "node:path";
import { invalidArgument } from "moonpack/bytes";
import { refuseUnfinished } from "../backup/backup-folder.js";
import { storeError } from "../drivers/store-error.js";
import { SeriesError } from "../errors.js";
import { type FolderLock, makeFolders, type StoreFileSystem } from "../file-system/store-file-system.js";
import { FIRST_MANIFEST, type Manifest } from "../manifest/manifest.js";
import { filesOf, readManifest, writeManifest } from "../manifest/manifest-files.js";
import type { Settings } from "../options.js";
import { Ballast } from "./ballast.js";
import { OpenedFiles } from "./block-store.js";
import { FileStore } from "./file-store.js";

/** Opens the files, and makes them if there are none. Throws as `openSeries` does. */
export async function openFiles(settings: Settings, fileSystem: StoreFileSystem): Promise<OpenedFiles> {
  const { readOnly, maxCacheBytes } = settings;
  const path = settings.path!;
  let lock: FolderLock | undefined;
  try {
    await refuseOthers(fileSystem, path, readOnly);
    if (!readOnly) {
      await makeFolders(fileSystem, path);
      lock = await fileSystem.lock(path);
    }
    await refuseUnfinished(path);
    const manifest = await openManifest(fileSystem, path, readOnly);
    if (!readOnly) {
      // A kill may have come before the manifest's name was on the medium: what it does not need is needed by the one before.
      await fileSystem.syncFolder(join(path, "manifest"));
      await removeUnnamed(fileSystem, path, manifest);
      await new Ballast(fileSystem, path).take();
    }
    const store = new FileStore(path, fileSystem, manifest, maxCacheBytes, async () => await lock?.check());
    return new OpenedFiles(store, lock);
  } catch (error) {
    await lock?.release();
    throw storeError(error, "the store");
  }
}

/** Throws for a folder that has a store of another kind, or is none. */
async function refuseOthers(fileSystem: StoreFileSystem, path: string, readOnly: boolean): Promise<void> {
  const isThere = async (name: string) => (await fileSystem.list(join(path, name))).length > 0;
  if (await isThere("kv"))
    throw invalidArgument(`${path} is a store of a database: open it with the driver that made it, such as rocksdb()`);
  if (readOnly && !(await isThere("manifest")))
    throw new SeriesError("ERR_SERIES_STORE", `${path} has no store, and readOnly makes none`);
}

async function openManifest(fileSystem: StoreFileSystem, path: string, readOnly: boolean): Promise<Manifest> {
  const manifest = await readManifest(fileSystem, path);
  if (manifest !== undefined) return manifest;
  if (readOnly) throw new SeriesError("ERR_SERIES_STORE", `${path} has no store, and readOnly makes none`);
  const blocks = await fileSystem.list(join(path, "blocks"));
  if (blocks.some((name) => name.endsWith(".blk")))
    throw new SeriesError("ERR_SERIES_CORRUPT", `${path} has blocks but no manifest: repair() builds a new one`, {
      file: "manifest",
    });
  const first = { ...FIRST_MANIFEST, number: 1 };
  await writeManifest(fileSystem, path, first);
  return first;
}

/** Deletes files that no manifest names: a crash came before, or after, they were needed. */
async function removeUnnamed(fileSystem: StoreFileSystem, path: string, manifest: Manifest): Promise<void> {
  const named = new Set(filesOf(manifest).map(({ name }) => name));
  for (const folder of ["blocks", "names"])
    for (const name of await fileSystem.list(join(path, folder)))
      if (!named.has(`${folder}/${name}`)) await fileSystem.unlink(join(path, folder, name));
}
