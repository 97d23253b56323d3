/** Writes a store, as it is at one moment, into another folder. The store itself does not change by it: nothing is sealed. */
import { join, resolve } from "node:path";
import { invalidArgument } from "moonpack/bytes";
import type { Driver, Store } from "../drivers/driver.js";
import type { Head } from "../head/head.js";
import type { LogFileSystem } from "../log/file-system.js";
import type { Registry } from "../registry/registry.js";
import { COLUMN_SPECS } from "../store/columns.js";
import { StoreSnapshot } from "../store/snapshot.js";
import { BackupFolder } from "./backup-folder.js";
import { type Changes, writeHeadLog } from "./head-log.js";

const CACHE_BYTES = 2 ** 20;

/** What is backed up. */
export interface BackupSource {
  readonly driver: Driver;
  readonly store: Store;
  readonly head: Head;
  readonly registry: Registry;
  readonly files: LogFileSystem;
  /** The changes that are not yet in the store. */
  changes(): Changes;
  /** Runs a job while no other one writes to the store. */
  exclusive<T>(job: () => Promise<T>): Promise<T>;
}

/** Writes the backup. When it fails, the folder is as it was before. */
export async function backUp(source: BackupSource, to: unknown): Promise<void> {
  if (typeof to !== "string" || to === "" || to.includes("\0"))
    throw invalidArgument("a backup needs the path of a new folder");
  const folder = await BackupFolder.make(resolve(to));
  try {
    await writeInto(source, folder.path);
    await folder.finish();
  } catch (error) {
    // The first error tells more.
    await folder.discard().catch(() => undefined);
    throw error;
  }
}

async function writeInto(source: BackupSource, path: string): Promise<void> {
  const options = { columns: COLUMN_SPECS, readOnly: false, maxCacheBytes: CACHE_BYTES };
  const target = await source.driver.open(join(path, "kv"), options);
  try {
    const { snapshot, next } = await source.exclusive(() => takeState(source, join(path, "log")));
    try {
      // Writes and rounds go on meanwhile.
      await snapshot.copyTo(target, next);
    } finally {
      await snapshot.end();
    }
  } catch (error) {
    // The first error tells more: after it RocksDB says no more than that it has seen one.
    await target.close().catch(() => undefined);
    throw error;
  }
  await target.close();
}

/** Takes a snapshot of the database, and writes what is not in it into a log. */
async function takeState(
  { store, head, registry, files, changes }: BackupSource,
  log: string,
): Promise<{ snapshot: StoreSnapshot; next: number }> {
  // All of this in one turn: a call is in the backup, or it is not.
  const minutes = head.freeze(Number.POSITIVE_INFINITY);
  const metrics = [...registry.pending.values()];
  const { next } = registry;
  const state = { head, minutes, metrics, changes: changes() };
  const snapshot = await StoreSnapshot.take(store);
  try {
    await writeHeadLog(files, log, state, changes);
  } catch (error) {
    await snapshot.end();
    throw error;
  }
  return { snapshot, next };
}
