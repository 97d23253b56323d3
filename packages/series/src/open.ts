/** Opens a store: its database, its registry of metrics, and the points in its log (docs/series-format.md, sections 1 and 6). */
import { join } from "node:path";
import type { Recovery, Series, SeriesOptions } from "./api.js";
import { refuseUnfinished } from "./backup/backup-folder.js";
import type { Store } from "./drivers/driver.js";
import { storeError } from "./drivers/store-error.js";
import { SeriesError } from "./errors.js";
import { Head } from "./head/head.js";
import { type LogFileSystem, nodeFileSystem } from "./log/file-system.js";
import { Log } from "./log/log.js";
import { removeLog } from "./log/log-files.js";
import { recoverLog } from "./log/recovery.js";
import { NoLog, type WriteAheadLog } from "./log/write-ahead-log.js";
import { LogReplay } from "./log-replay.js";
import { readOptions, type Settings } from "./options.js";
import { formKey, idKey } from "./registry/metric-entries.js";
import { Registry } from "./registry/registry.js";
import { PendingDeletes } from "./seal/deletes.js";
import { OpenSeries } from "./series.js";
import { COLUMN_SPECS, FORMAT, METRICS, type Meta, metaOperation, readMeta } from "./store/columns.js";
import { isLocked, lockedError, writeOwner } from "./store/owner.js";
import { PageIndex } from "./store/page-index.js";

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
  return await openWith(readOptions(options), nodeFileSystem());
}

/** Opens a store whose log is in the given file system. */
export async function openWith(settings: Settings, files: LogFileSystem): Promise<Series> {
  const { path } = settings;
  const store = await openStore(settings);
  try {
    if (path !== undefined) await refuseUnfinished(path);
    const meta = await checkVersion(store, settings);
    if (path !== undefined && !settings.readOnly) await writeOwner(path);
    return await openParts(store, meta, settings, files);
  } catch (error) {
    // An error of close would hide the first one.
    await store.close().catch(() => undefined);
    throw error;
  }
}

async function openStore({ driver, path, readOnly, maxCacheBytes }: Settings): Promise<Store> {
  try {
    const folder = path === undefined ? undefined : join(path, "kv");
    return await driver.open(folder, { columns: COLUMN_SPECS, readOnly, maxCacheBytes });
  } catch (error) {
    if (path === undefined) throw storeError(error, driver.name);
    if (isLocked(error)) throw driver.reportsOwner === true ? error : await lockedError(path, error);
    // An unfinished backup may have no database at all.
    await refuseUnfinished(path);
    throw storeError(error, driver.name);
  }
}

/** The counters of `meta`, and whether the store is new. */
interface OpenedMeta extends Meta {
  readonly isNew: boolean;
}

/** Reads the counters of `meta` and checks the version. Writes the counters of a new store. */
async function checkVersion(store: Store, { readOnly, path }: Settings): Promise<OpenedMeta> {
  const meta = await readMeta(store);
  if (meta.format === FORMAT) return { ...meta, isNew: false };
  if (meta.format !== undefined)
    throw new SeriesError(
      "ERR_SERIES_VERSION",
      `the store has format ${meta.format}; this version of @moonpack/series reads format ${FORMAT}`,
    );
  if (readOnly)
    throw new SeriesError(
      "ERR_SERIES_STORE",
      `${path ?? "memory"} does not contain a store, and readOnly does not create one`,
    );
  for await (const _ of store.range(METRICS, formKey(new Uint8Array(0)), idKey(0), { keysOnly: true }))
    throw new SeriesError(
      "ERR_SERIES_CORRUPT",
      "the store has metrics but no format: it may be a backup that was not finished",
      { column: "meta", key: Buffer.from("format") },
    );
  const first = [metaOperation("format", FORMAT), metaOperation("next", 0), metaOperation("log", 1)];
  await store.batch(first, { sync: true });
  return { format: FORMAT, next: 0, sealed: undefined, log: 1, isNew: true };
}

async function openParts(store: Store, meta: OpenedMeta, settings: Settings, files: LogFileSystem): Promise<Series> {
  const head = new Head();
  const index = new PageIndex();
  const deletes = new PendingDeletes();
  // A store that was killed in its first round has pages, although no minute is sealed.
  if (meta.isNew) index.isNew();
  else await index.findWeeks(store);
  // Recovery registers metrics before the new log is started.
  const definitions = new DefinitionsLog();
  const registry = new Registry(store, definitions, meta.next ?? 0, settings.maxCachedMetrics);
  let log: WriteAheadLog = new NoLog(1);
  let recovery = NOTHING_RECOVERED;
  const replay = new LogReplay(head, registry, deletes);
  if (settings.path !== undefined) {
    const folder = join(settings.path, "log");
    const recovered = await recoverLog(files, folder, meta.log ?? 1, replay, settings);
    ({ recovery } = recovered);
    const { durability, syncEvery, readOnly, onWarning } = settings;
    const onFailure = (cause: Error) =>
      onWarning({ kind: "retry", message: `the log failed and will be tried again: ${cause.message}`, cause });
    log =
      readOnly || durability === "none"
        ? new NoLog(recovered.nextFile)
        : await Log.start(files, folder, { durability, syncEvery, onFailure, ...recovered });
  }
  definitions.log = log;
  const sealed = meta.sealed ?? -1;
  const series = new OpenSeries({ settings, store, files, log, head, registry, index, deletes, recovery, sealed });
  try {
    await series.forgetRecovered(replay.forgotten);
    if (mustSealRecoveredLog(settings, recovery)) {
      await series.sealRecoveredLog();
      await removeLog(files, join(settings.path!, "log"));
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
