/** The moment of a backup: copies the log up to it, and returns the manifest that belongs to it. */
import { join } from "node:path";
import { writeHeadLog } from "../backup/head-log.js";
import { SeriesError } from "../errors.js";
import { logNumbers, logPath, removeLog } from "../log/log-files.js";
import { NoLog } from "../log/write-ahead-log.js";
import type { Manifest } from "../manifest/manifest.js";
import { manifestNumbers, readManifest } from "../manifest/manifest-files.js";
import type { SealedParts } from "../read/sealed-store.js";
import type { FileJobs } from "./file-jobs.js";
import type { FileStore } from "./file-store.js";

/** Number of attempts to copy a log that another process writes: it may delete files at any time. */
const TRIES = 50;

/** The store that is backed up. */
export interface BackupOf extends SealedParts {
  readonly store: FileStore;
  readonly jobs: FileJobs;
}

/** Copies the log into a folder. Returns the manifest of the moment. */
export async function copyMoment(of: BackupOf, to: string): Promise<Manifest> {
  const { settings, store, jobs, log, head, registry, files } = of;
  if (settings.readOnly) return await copyForeign(store, to);
  return await jobs.run(async () => {
    while (head.adding !== undefined) await head.adding;
    // In one iteration of the event loop, so that each call is either in the backup or not.
    log.rotate();
    const end = log.file;
    const now = store.committed();
    const metrics = [...registry.pending.values()];
    if (log instanceof NoLog) {
      const minutes = head.freeze(Number.POSITIVE_INFINITY);
      const none = { deletes: [], forgotten: [] };
      const { next } = registry;
      await writeHeadLog(files, to, { head, minutes, metrics, changes: none }, () => none);
      return { ...now, firstLog: 1, nextId: next };
    }
    await log.sync();
    await copyLog(store, now, to, end);
    return now;
  });
}

/** Copies a log that another process may write. It is complete if the manifest is still the newest one after it was copied. */
async function copyForeign(store: FileStore, to: string): Promise<Manifest> {
  const { fileSystem, path } = store;
  for (let left = TRIES; left > 0; left--) {
    try {
      const manifest = await readManifest(fileSystem, path);
      if (manifest === undefined) break;
      await copyLog(store, manifest, to, Number.POSITIVE_INFINITY);
      if ((await manifestNumbers(fileSystem, path)).at(-1) === manifest.number) return manifest;
    } catch (error) {
      // A file was deleted between listing and reading.
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
    await removeLog(fileSystem, to);
  }
  throw new SeriesError("ERR_SERIES_STORE", `the files of ${path} change faster than they can be copied`);
}

/** Copies the files of the log from the manifest's first (inclusive) to `end` (exclusive). */
async function copyLog({ fileSystem, path }: FileStore, manifest: Manifest, to: string, end: number): Promise<void> {
  const folder = join(path, manifest.log);
  for (const number of logNumbers(await fileSystem.list(folder))) {
    if (number < manifest.firstLog || number >= end) continue;
    const bytes = await fileSystem.read(logPath(folder, number));
    const file = await fileSystem.create(logPath(to, number));
    try {
      await file.write(bytes, 0);
      await file.datasync();
    } finally {
      await file.close();
    }
  }
}
