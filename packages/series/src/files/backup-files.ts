/**
 * Copies a store at one moment. Blocks and names are linked, because they never change. The log starts a new file at that moment, and the
 * files before it are copied. The manifest is written last: only then is the folder a store.
 */
import { join, resolve } from "node:path";
import { invalidArgument } from "moonpack/bytes";
import { BackupFolder } from "../backup/backup-folder.js";
import { writeHeadLog } from "../backup/head-log.js";
import { storeError } from "../drivers/store-error.js";
import { makeFolders } from "../file-system/store-file-system.js";
import { logNumbers, logPath } from "../log/log-files.js";
import { NoLog } from "../log/write-ahead-log.js";
import type { Manifest } from "../manifest/manifest.js";
import { filesOf, writeManifest } from "../manifest/manifest-files.js";
import type { SealedParts } from "../read/sealed-store.js";
import type { FileJobs } from "./file-jobs.js";
import type { FileStore } from "./file-store.js";

/** The store that is backed up. */
export interface BackupOf extends SealedParts {
  readonly store: FileStore;
  readonly jobs: FileJobs;
}

/** Writes the backup. If it fails, the folder is restored. */
export async function backUpFiles(of: BackupOf, to: unknown): Promise<void> {
  if (typeof to !== "string" || to === "" || to.includes("\0"))
    throw invalidArgument("a backup needs the path of a new folder");
  const folder = await BackupFolder.make(resolve(to));
  try {
    await writeInto(of, folder.path);
    await folder.finish();
  } catch (error) {
    // A later error would hide the first one.
    await folder.discard().catch(() => undefined);
    throw storeError(error, "the backup");
  }
}

async function writeInto({ settings, store, jobs, log, head, registry, files }: BackupOf, path: string): Promise<void> {
  await makeFolders(store.fileSystem, path);
  const release = store.pin();
  try {
    const manifest = await jobs.run(async () => {
      while (head.adding !== undefined) await head.adding;
      // In one turn of the event loop, so that each call is either in the backup or not.
      log.rotate();
      const end = log.file;
      const now: Manifest = { ...store.committed(), firstLog: 1 };
      const { firstLog } = store.manifest;
      const metrics = [...registry.pending.values()];
      if (log instanceof NoLog && !settings.readOnly) {
        const minutes = head.freeze(Number.POSITIVE_INFINITY);
        const none = { deletes: [], forgotten: [] };
        await writeHeadLog(files, join(path, "log"), { head, minutes, metrics, changes: none }, () => none);
      } else {
        await log.sync();
        await copyLog(store, path, firstLog, settings.readOnly ? Number.POSITIVE_INFINITY : end);
        return { ...now, firstLog };
      }
      return { ...now, nextId: registry.next };
    });
    for (const { name } of filesOf(manifest)) await store.fileSystem.link(join(store.path, name), join(path, name));
    for (const folder of ["blocks", "names", "log"]) await store.fileSystem.syncFolder(join(path, folder));
    await writeManifest(store.fileSystem, path, { ...manifest, number: 1 });
  } finally {
    release();
  }
}

/** Copies the files of the log from `first` (inclusive) to `end` (exclusive). */
async function copyLog({ fileSystem, path }: FileStore, to: string, first: number, end: number): Promise<void> {
  for (const number of logNumbers(await fileSystem.list(join(path, "log")))) {
    if (number < first || number >= end) continue;
    const bytes = await fileSystem.read(logPath(join(path, "log"), number));
    const file = await fileSystem.create(logPath(join(to, "log"), number));
    try {
      await file.write(bytes, 0);
      await file.datasync();
    } finally {
      await file.close();
    }
  }
}
