/** Writes a snapshot of a store into another folder. It does not change the store: no minute is sealed. */
import { join, resolve } from "node:path";
import {
  BackupFolder,
  type Changes,
  type Head,
  type LogFileSystem,
  type Registry,
  writeHeadLog,
} from "@moonpack/series/driver";
import { invalidArgument } from "moonpack/bytes";
import type { Driver, Store } from "../drivers/driver.js";
import { COLUMN_SPECS } from "../store/columns.js";
import { StoreSnapshot } from "../store/snapshot.js";

const CACHE_BYTES = 2 ** 20;

/** The parts of a store that are backed up. */
export interface BackupSource {
  readonly driver: Driver;
  readonly store: Store;
  readonly head: Head;
  readonly registry: Registry;
  readonly files: LogFileSystem;
  /** Returns the changes that are not yet in the database. */
  changes(): Changes;
  /** Runs a job while no other job writes to the store. */
  exclusive<T>(job: () => Promise<T>): Promise<T>;
}

/** Writes the backup. If it fails, the folder is restored. */
export async function backUp(source: BackupSource, to: unknown): Promise<void> {
  if (typeof to !== "string" || to === "" || to.includes("\0"))
    throw invalidArgument("a backup needs the path of a new folder");
  const folder = await BackupFolder.make(resolve(to));
  try {
    await writeInto(source, folder.path);
    await folder.finish();
  } catch (error) {
    // An error of this step would hide the first one.
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
      // Writes and rounds continue during the copy.
      await snapshot.copyTo(target, next);
    } finally {
      await snapshot.end();
    }
  } catch (error) {
    // The first error is kept: later ones of RocksDB only say that there was one.
    await target.close().catch(() => undefined);
    throw error;
  }
  await target.close();
}

/** Takes a snapshot of the database, and writes the points that are not in it into a log. */
async function takeState(
  { store, head, registry, files, changes }: BackupSource,
  log: string,
): Promise<{ snapshot: StoreSnapshot; next: number }> {
  while (head.adding !== undefined) await head.adding;
  // Synchronous, so that each call is in the backup completely or not at all.
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
