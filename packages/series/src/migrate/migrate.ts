/** Migration: copies a store of any driver into a new store of files, and compares both. */
import { resolve } from "node:path";
import { invalidArgument, optionsObject, ownOption, refuseUnknown } from "moonpack/bytes";
import type { Series, SeriesOptions } from "../api.js";
import { beginMigration, endMigration } from "../backup/migration-folder.js";
import { isFilesDriver } from "../drivers/files.js";
import { storeError } from "../drivers/store-error.js";
import { SeriesError } from "../errors.js";
import { nodeStoreFileSystem } from "../file-system/store-file-system.js";
import { openFiles } from "../files/open-files.js";
import { readManifest } from "../manifest/manifest-files.js";
import { follow, openWith } from "../open.js";
import { readOptions, type Settings } from "../options.js";
import { compareStores } from "./compare.js";
import { copyMetrics, copyWeeks } from "./copy-points.js";

/** The progress of {@link migrate}. */
export interface MigrationProgress {
  /** `"copy"`: points are copied, week by week. `"compare"`: both stores are read again. */
  readonly phase: "copy" | "compare";
  /** The number of points so far, in this phase. */
  readonly points: number;
  /** While copying: the start of the current week, in milliseconds. */
  readonly week?: number;
}

/** Options of {@link migrate}. */
export interface MigrationOptions {
  /** Ends the migration with `ERR_ABORTED`. A later call continues it. */
  readonly signal?: AbortSignal;
  /** Called often: after each metric. */
  readonly onProgress?: (progress: MigrationProgress) => void;
}

/** The result of {@link migrate}. */
export interface Migrated {
  /** Number of copied metrics. */
  readonly metrics: number;
  /** Number of copied points. */
  readonly points: number;
}

/**
 * Copies a store into a new folder, as a store of `files()`: all metrics with their ids, and all points. The old store is opened with
 * `readOnly` and does not change; nothing may write to it until the migration ends. Points are copied week by week in bounded memory, then
 * both stores are compared. If the process is killed, a second call with the same arguments continues after the last complete week; until
 * the end the new folder cannot be opened.
 *
 * Throws the errors of `openSeries`, `ERR_SERIES_STORE` for a folder that is not empty, or if the stores differ at the end.
 *
 * @example
 * import { rocksdb } from "@moonpack/series-kv";
 * const { points } = await migrate({ path: "./old", driver: rocksdb() }, "./new");
 */
export async function migrate(from: SeriesOptions, to: string, options: MigrationOptions = {}): Promise<Migrated> {
  const given = optionsObject(options);
  refuseUnknown(given, ["signal", "onProgress"]);
  const signal = ownOption(given, "signal") as AbortSignal | undefined;
  const onProgress = ownOption(given, "onProgress") as MigrationOptions["onProgress"];
  if (signal !== undefined && !(signal instanceof AbortSignal)) throw invalidArgument("signal must be an AbortSignal");
  if (onProgress !== undefined && typeof onProgress !== "function")
    throw invalidArgument("onProgress must be a function");
  if (typeof to !== "string" || to === "" || to.includes("\0"))
    throw invalidArgument("a migration needs the path of a new folder");
  const path = resolve(to);
  // Points beyond a retention are in the store until they are deleted, and are copied.
  const settings = readOptions({ ...optionsObject(from), readOnly: true, unit: "ms", retention: undefined });
  const { path: oldPath, driver } = settings;
  if (oldPath === path) throw invalidArgument("a migration needs another folder than the old store");
  await refuseSummaries(settings);
  const source = await openWith(settings, nodeStoreFileSystem());
  try {
    return await migrateInto(path, oldPath ?? driver.name, { source, signal, onProgress });
  } finally {
    await source.close();
  }
}

/** Throws if the old store keeps summaries: points are copied, so those of dropped points would be lost. */
async function refuseSummaries({ path, driver }: Settings): Promise<void> {
  if (path === undefined || !isFilesDriver(driver)) return;
  const manifest = await readManifest(nodeStoreFileSystem(), path);
  if (manifest !== undefined && manifest.summaries.length > 0)
    throw new SeriesError("ERR_SERIES_STORE", `${path} keeps summaries, which a migration would lose: use backup()`);
}

/** The source of a migration, and its options. */
interface Migration {
  readonly source: Series;
  readonly signal: AbortSignal | undefined;
  readonly onProgress: MigrationOptions["onProgress"];
}

async function migrateInto(path: string, name: string, { source, signal, onProgress }: Migration): Promise<Migrated> {
  await beginMigration(path, name).catch((error: unknown) => {
    throw storeError(error, "the migration");
  });
  const files = nodeStoreFileSystem();
  const settings = readOptions({ path });
  const opened = await openFiles(settings, files, true);
  const { store } = opened;
  let copy: Series | undefined;
  try {
    const { metrics: next } = await source.stats();
    if (store.manifest.nextId === 0) await copyMetrics({ source, store }, next);
    else if (store.manifest.nextId !== next)
      throw new SeriesError("ERR_SERIES_STORE", `${name} has changed since its migration began: delete ${path}`);
    const copied = (points: number, week: number) => onProgress?.({ phase: "copy", points, week });
    await copyWeeks({ source, store, signal, copied });
    copy = await follow(opened, { ...settings, readOnly: true }, files);
    const compared = (_: number, points: number) => onProgress?.({ phase: "compare", points });
    const result = await compareStores(source, copy, signal, compared);
    await endMigration(path);
    return result;
  } finally {
    await (copy ?? opened).close();
  }
}
