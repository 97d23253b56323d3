/**
 * Copies a store at one moment. Blocks and names are linked, because they never change. The log starts a new file at that moment, and the
 * files before it are copied. The manifest is written last: only then is the folder a store, or the earlier backup in it replaced.
 */
import { join, resolve } from "node:path";
import { invalidArgument } from "moonpack/bytes";
import { BackupFolder, isUnfinished } from "../backup/backup-folder.js";
import { storeError } from "../drivers/store-error.js";
import { SeriesError } from "../errors.js";
import { makeFolders } from "../file-system/store-file-system.js";
import type { LogName, Manifest } from "../manifest/manifest.js";
import {
  allBlocks,
  filesOf,
  manifestNumbers,
  readManifest,
  removeOldManifests,
  removeUnnamed,
  writeManifest,
} from "../manifest/manifest-files.js";
import { type BackupOf, copyMoment } from "./backup-moment.js";

/** Writes the backup. If it fails, the folder is restored. */
export async function backUpFiles(of: BackupOf, to: unknown): Promise<void> {
  if (typeof to !== "string" || to === "" || to.includes("\0"))
    throw invalidArgument("a backup needs the path of a folder: a new one, or the folder of an earlier backup");
  const path = resolve(to);
  try {
    const isStore = (await manifestNumbers(of.store.fileSystem, path)).length > 0;
    await (isStore && !(await isUnfinished(path)) ? replace(of, path) : create(of, path));
  } catch (error) {
    throw storeError(error, "the backup");
  }
}

async function create(of: BackupOf, path: string): Promise<void> {
  const folder = await BackupFolder.make(path);
  try {
    await makeFolders(of.store.fileSystem, path);
    const manifest = await copyFiles(of, path, "log");
    await writeManifest(of.store.fileSystem, path, { ...manifest, number: 1 });
    await folder.finish();
  } catch (error) {
    // A later error would hide the first one.
    await folder.discard().catch(() => undefined);
    throw error;
  }
}

/** Replaces an earlier backup: it is there until the new manifest is. */
async function replace(of: BackupOf, path: string): Promise<void> {
  const { fileSystem } = of.store;
  const lock = await fileSystem.lock(path);
  try {
    const before = await readManifest(fileSystem, path);
    if (before === undefined) throw refused(path, "has changed");
    if (!before.isBackup) throw refused(path, "is a store, or a backup that was opened for writing");
    if (before.id !== of.store.manifest.id) throw refused(path, "is a backup of another store");
    // After a kill its name may not be on disk yet. Until it is, the files of the backup before are needed.
    await fileSystem.syncFolder(join(path, "manifest"));
    await removeUnnamed(fileSystem, path, before);
    const number = before.number + 1;
    let manifest: Manifest;
    try {
      manifest = await copyFiles(of, path, before.log === "log" ? "log2" : "log", before);
    } catch (error) {
      // Otherwise the next backup does it.
      await removeUnnamed(fileSystem, path, before).catch(() => undefined);
      throw error;
    }
    await writeManifest(fileSystem, path, { ...manifest, number });
    // The manifest before names a log that is deleted now.
    await removeOldManifests(fileSystem, path, number, 0);
    await fileSystem.syncFolder(join(path, "manifest"));
    await removeUnnamed(fileSystem, path, manifest);
  } finally {
    await lock.release();
  }
}

/** Throws if the store is older than its backup: it was copied or restored, and files of the same number may differ. */
function checkHistory(before: Manifest, now: Manifest, path: string): void {
  const entries = new Map(entriesOf(before));
  const isSame = entriesOf(now).every(([number, text]) => (entries.get(number) ?? text) === text);
  if (before.nextFile > now.nextFile || before.generation > now.generation || !isSame)
    throw refused(path, "is a backup of a later time: the store was restored since");
}

/** The files of a manifest, each with all that the manifest states about it. */
function entriesOf(manifest: Manifest): (readonly [number: number, text: string])[] {
  return [...allBlocks(manifest), ...manifest.names].map((entry) => [entry.file, JSON.stringify(entry)]);
}

function refused(path: string, what: string): SeriesError {
  return new SeriesError(
    "ERR_SERIES_STORE",
    `a backup needs a new folder, or the folder of its last backup: ${path} ${what}`,
  );
}

/** Copies all files except the manifest, which it returns. Files that an earlier backup has are not copied again. */
async function copyFiles(of: BackupOf, path: string, log: LogName, before?: Manifest): Promise<Manifest> {
  const { store } = of;
  const { fileSystem } = store;
  const release = store.pin();
  try {
    await fileSystem.makeFolder(join(path, log));
    const manifest: Manifest = { ...(await copyMoment(of, join(path, log))), isBackup: true, log };
    if (before !== undefined) checkHistory(before, manifest, path);
    const known = new Set(before === undefined ? [] : filesOf(before).map(({ name }) => name));
    for (const { name } of filesOf(manifest))
      if (!known.has(name)) await fileSystem.link(join(store.path, name), join(path, name));
    for (const folder of ["blocks", "names", log]) await fileSystem.syncFolder(join(path, folder));
    return manifest;
  } finally {
    release();
  }
}
