/** Opens the database of a store whose points are pages in a key-value database (docs/series-format.md, "Version 1"). */
import { join } from "node:path";
import { SeriesError } from "@moonpack/series";
import { nodeFileSystem, type OpenedStore, refuseUnfinished, type Settings, storeError } from "@moonpack/series/driver";
import { invalidArgument } from "moonpack/bytes";
import type { Driver, Store } from "../drivers/driver.js";
import { COLUMN_SPECS, FORMAT, METRICS, type Meta, metaOperation, readMeta } from "../store/columns.js";
import { formKey, idKey } from "../store/metric-entries.js";
import { isLocked, lockedError, writeOwner } from "../store/owner.js";
import { PageIndex } from "../store/page-index.js";
import { OpenedDatabase } from "./key-value-store.js";

/** Opens the database, and creates it if it does not exist. Throws the errors of `openSeries`. */
export async function openDatabase(driver: Driver, settings: Settings): Promise<OpenedStore> {
  const { path } = settings;
  if (path !== undefined) await refuseFiles(path);
  const store = await openStore(driver, settings);
  checkStore(store, driver.name);
  try {
    if (path !== undefined) await refuseUnfinished(path);
    const meta = await checkVersion(store, settings);
    if (path !== undefined && !settings.readOnly) await writeOwner(path);
    const index = new PageIndex();
    // A store that was killed in its first round has pages, although no minute is sealed.
    if (meta.isNew) index.isNew();
    else await index.findWeeks(store);
    return new OpenedDatabase(
      driver,
      store,
      { next: meta.next ?? 0, log: meta.log ?? 1, sealed: meta.sealed ?? -1 },
      index,
    );
  } catch (error) {
    // An error of close would hide the first one.
    await store.close().catch(() => undefined);
    throw error;
  }
}

/** Throws for the folder of a store that manages its own files: a second store there would replay its log. */
async function refuseFiles(path: string): Promise<void> {
  for (const name of ["manifest", "blocks"]) {
    // A folder that cannot be read is reported by the driver.
    const names = await nodeFileSystem()
      .list(join(path, name))
      .catch(() => []);
    if (names.length === 0) continue;
    throw new SeriesError(
      "ERR_SERIES_VERSION",
      `${path} contains a store of format 2, which manages its own files: open it without a driver`,
    );
  }
}

async function openStore(driver: Driver, { path, readOnly, maxCacheBytes }: Settings): Promise<Store> {
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

/** The methods that every store has. */
const METHODS = ["getMany", "batch", "deleteRange", "range", "size", "close"] as const;

/** Throws `ERR_INVALID_ARGUMENT` for anything but a store. */
function checkStore(store: Partial<Store> | null | undefined, name: string): void {
  const missing = METHODS.find((method) => typeof store?.[method] !== "function");
  if (missing !== undefined)
    throw invalidArgument(
      `open() of the driver ${name} must return a Store: ${missing}() is missing, see docs/series-kv.md`,
    );
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
      `the store has format ${meta.format}; this version of @moonpack/series-kv reads format ${FORMAT}`,
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
