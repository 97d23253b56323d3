/** Opens a store: its sealed points, its registry of metrics, and the points in its log (docs/series-format.md, "Recovery"). */
import { join } from "node:path";
import type { Recovery, Series, SeriesOptions } from "./api.js";
import { isFilesDriver } from "./drivers/files.js";
import { storeError } from "./drivers/store-error.js";
import { isFull } from "./errors.js";
import { MemoryFileSystem } from "./file-system/memory-file-system.js";
import { nodeStoreFileSystem, type StoreFileSystem } from "./file-system/store-file-system.js";
import { OpenedFiles } from "./files/block-store.js";
import { openFiles } from "./files/open-files.js";
import { Head } from "./head/head.js";
import { Log } from "./log/log.js";
import { logPath, removeLog } from "./log/log-files.js";
import { recoverLog } from "./log/recovery.js";
import { NoLog, type WriteAheadLog } from "./log/write-ahead-log.js";
import { LogReplay } from "./log-replay.js";
import { readOptions, type Settings } from "./options.js";
import { FollowingSeries } from "./process/following-series.js";
import { LogFollower } from "./process/log-follower.js";
import type { OpenedStore, StoreDriver } from "./read/sealed-store.js";
import { Registry } from "./registry/registry.js";
import { MetricRetention } from "./retention/metric-retention.js";
import { OpenSeries } from "./series.js";

const NOTHING_RECOVERED: Recovery = { files: 0, records: 0, points: 0, tornBytes: 0, skippedBytes: 0 };

/**
 * Opens a store, and creates it if it does not exist. Only one process at a time can have it open.
 *
 * Throws `ERR_SERIES_LOCKED` (another process has it), `ERR_SERIES_VERSION`, `ERR_SERIES_LOG` (the log is damaged),
 * `ERR_SERIES_READ_ONLY`, `ERR_SERIES_FULL`, `ERR_SERIES_STORE`, `ERR_INVALID_ARGUMENT`.
 *
 * @example
 * await using series = await openSeries({ path: "./metrics" });
 * await series.write([{ metric: { name: "cpu.load" }, timestamp: Date.now(), value: 0.42 }]);
 */
export async function openSeries(options: SeriesOptions): Promise<Series> {
  return await openWith(readOptions(options), nodeStoreFileSystem());
}

/** Opens a store whose files are in the given file system. */
export async function openWith(settings: Settings, files: StoreFileSystem): Promise<Series> {
  const { driver } = settings;
  const opened = isFilesDriver(driver)
    ? await openFiles(settings, driver.name === "memory" ? new MemoryFileSystem() : files)
    : await (driver as StoreDriver).openStore(settings).catch((error: unknown) => {
        throw storeError(error, driver.name);
      });
  try {
    if (opened instanceof OpenedFiles && settings.readOnly) return await follow(opened, settings, files);
    return await openParts(opened, settings, files);
  } catch (error) {
    // An error of close would hide the first one.
    await opened.close().catch(() => undefined);
    throw error;
  }
}

/** Opens a store of files for reading: another process may write it. */
export async function follow(opened: OpenedFiles, settings: Settings, files: StoreFileSystem): Promise<Series> {
  const retention = await MetricRetention.of(settings.retentionRules);
  const series = new FollowingSeries(opened.store, settings.unitMs === 1 ? "ms" : "s", () => {
    const head = new Head();
    const log = new NoLog(1);
    const { names } = opened;
    const registry = new Registry(names, log, opened.nextId, settings.maxCachedMetrics);
    registry.retention = retention;
    const replay = new LogReplay(head, registry, opened);
    const sealed = opened.start({ settings, log, head, registry, files });
    const recovery = NOTHING_RECOVERED;
    const inner = new OpenSeries({ settings, names, log, head, registry, recovery, sealed });
    return {
      series: inner,
      log: new LogFollower(files, join(settings.path!, opened.logName), opened.firstLog, replay),
      settle: () => inner.forgetRecovered(replay.forgotten.splice(0)),
    };
  });
  await series.current();
  return series;
}

async function openParts(opened: OpenedStore, settings: Settings, files: StoreFileSystem): Promise<Series> {
  const head = new Head();
  // Recovery registers metrics before the new log is started.
  const definitions = new DefinitionsLog();
  const { names } = opened;
  const registry = new Registry(names, definitions, opened.nextId, settings.maxCachedMetrics);
  registry.retention = await MetricRetention.of(settings.retentionRules);
  const folder = settings.path === undefined ? undefined : join(settings.path, opened.logName ?? "log");
  let log: WriteAheadLog = new NoLog(1);
  let recovery = NOTHING_RECOVERED;
  const replay = new LogReplay(head, registry, opened);
  if (folder !== undefined) {
    const recovered = await recoverLog(files, folder, opened.firstLog, replay, settings);
    ({ recovery } = recovered);
    const { durability, syncEvery, readOnly, onWarning } = settings;
    const onFailure = (cause: Error) =>
      onWarning({ kind: "retry", message: `the log failed and will be tried again: ${cause.message}`, cause });
    if (readOnly || durability === "none") log = new NoLog(recovered.nextFile);
    else {
      const start = () => Log.start(files, folder, { durability, syncEvery, onFailure, ...recovered });
      log = await start().catch(async (error: unknown) => {
        if (!isFull(error)) throw error;
        await opened.makeRoom?.();
        // The first try may have left the beginning of the file.
        await files.unlink(logPath(folder, recovered.nextFile));
        return await start();
      });
    }
  }
  definitions.log = log;
  const sealed = opened.start({ settings, log, head, registry, files });
  const series = new OpenSeries({ settings, names, log, head, registry, recovery, sealed });
  try {
    await series.forgetRecovered(replay.forgotten);
    if (mustSealRecoveredLog(settings, recovery)) {
      await series.sealRecoveredLog();
      await removeLog(files, folder!);
    }
  } catch (error) {
    // An error of abandon would hide the first one.
    await series.abandon().catch(() => undefined);
    throw error;
  }
  return series;
}

/**
 * True if the recovered points must be sealed and the log of an earlier run removed. With durability `none` later changes are not logged,
 * so after a crash the old log would undo deletes and writes since.
 */
function mustSealRecoveredLog({ durability, readOnly }: Settings, { files }: Recovery): boolean {
  return durability === "none" && !readOnly && files > 0;
}

/** The log of a registry. It is set after recovery. */
class DefinitionsLog {
  log: WriteAheadLog = new NoLog(1);

  assertWritable(): void {
    this.log.assertWritable();
  }

  define(...definition: Parameters<WriteAheadLog["define"]>): void {
    this.log.define(...definition);
  }
}
