/**
 * How many metrics should share a page: stores of pages only, which have other numbers of metrics than the format. Reads one metric
 * over a long range, as a query does, from files that are in no cache.
 */
import { rocksdb } from "@moonpack/series-kv";
import { bytesFromDisk, dropCache, folderBytes } from "../folder.js";
import { EVERY, MINUTE, START } from "../load.js";
import { uniformValue } from "../values.js";

/** A store of pages. */
interface PageStore {
  readonly folder: string;
  /** Minutes of a page. */
  readonly span: 1 | 60;
  /** Metrics of a page. */
  readonly slots: number;
  readonly metrics: number;
  /** Pages of each group of metrics. */
  readonly pages: number;
}

/** Fills a store. */
export interface FillPagesJob extends PageStore {
  readonly kind: "fill-pages";
}

/** Reads single metrics, each in other pages: those at `first` in the order of groups, and `count` of them. */
export interface ReadPagesJob extends PageStore {
  readonly kind: "read-pages";
  readonly first: number;
  readonly count: number;
}

/** Times and bytes of the reads. */
export interface ReadPagesResult {
  /** Milliseconds of each read; none where the system's cache cannot be emptied. */
  readonly milliseconds: readonly number[];
  /** Bytes that came from the disk for one read; null where the system does not report them. */
  readonly diskBytes: number | null;
}

/** Internal modules of the package, which exports no pages. */
interface Points {
  readonly times: Int32Array;
  readonly values: { readonly floats: Float64Array };
  length: number;
  reserve(n: number): void;
}
interface PageModule {
  readonly PagePoints: new () => Points;
  readonly PageWriter: new () => {
    write(key: Uint8Array, span: 1 | 60, slots: readonly Points[]): Uint8Array;
  };
  readonly PageReader: new () => {
    read(key: Uint8Array, page: Uint8Array, wanted: number, points: Points, take: () => void): void;
  };
}
interface PageKeyModule {
  pageKey(minute: number, group: number): Uint8Array;
}

const PAGES = new URL("../../../../../../packages/series/build/page/", import.meta.url);
const pageModule = (): Promise<PageModule> => import(new URL("page.js", PAGES).href);
const pageKeyModule = (): Promise<PageKeyModule> => import(new URL("page-key.js", PAGES).href);

const COLUMN = 0;
const COLUMNS = [{ name: "pages", volume: "high" }] as const;
/** The default of a store. */
const CACHE_BYTES = 64 * 2 ** 20;
/** Pages of a batch that is written, and keys of a call that reads: as a query of a long range has. */
const BATCH = 256;
const KEYS = 128;

const open = ({ folder }: PageStore) =>
  rocksdb().open(folder, { columns: COLUMNS, readOnly: false, maxCacheBytes: CACHE_BYTES });

/** Fills a store with uniform integers. Returns its bytes a point. */
export async function fillPages(job: FillPagesJob): Promise<number> {
  const { folder, span, slots, metrics, pages } = job;
  const [{ PagePoints, PageWriter }, { pageKey }] = await Promise.all([pageModule(), pageKeyModule()]);
  const store = await open(job);
  const writer = new PageWriter();
  const ticks = (span * MINUTE) / EVERY;
  const points = Array.from({ length: slots }, () => new PagePoints());
  for (const one of points) {
    one.reserve(ticks);
    for (let i = 0; i < ticks; i++) one.times[i] = i * EVERY;
    one.length = ticks;
  }
  let batch: { column: number; key: Uint8Array; value: Uint8Array }[] = [];
  const write = async () => {
    await store.batch(batch, { sync: false });
    batch = [];
  };
  // In the order of time, as a store gets them.
  for (let page = 0; page < pages; page++) {
    for (let group = 0; group < metrics / slots; group++) {
      const key = pageKey(START / MINUTE + page * span, group);
      points.forEach(({ values }, slot) => {
        for (let i = 0; i < ticks; i++) values.floats[i] = uniformValue(group * slots + slot, page * ticks + i);
      });
      batch.push({ column: COLUMN, key, value: writer.write(key, span, points) });
      if (batch.length === BATCH) await write();
    }
  }
  await write();
  await store.compact?.(COLUMN);
  await store.close();
  return folderBytes(folder) / (metrics * pages * ticks);
}

/** Reads metrics one after the other, after the files have been removed from the system's cache. */
export async function readPages(job: ReadPagesJob): Promise<ReadPagesResult> {
  const { folder, span, slots, metrics, pages, first, count } = job;
  const [{ PagePoints, PageReader }, { pageKey }] = await Promise.all([pageModule(), pageKeyModule()]);
  const store = await open(job);
  const reader = new PageReader();
  const points = new PagePoints();
  const ticks = (span * MINUTE) / EVERY;
  const groups = metrics / slots;
  const readMetric = async (group: number, slot: number) => {
    for (let page = 0; page < pages; ) {
      const keys: Uint8Array[] = [];
      for (; page < pages && keys.length < KEYS; page++) keys.push(pageKey(START / MINUTE + page * span, group));
      const found = await store.getMany(COLUMN, keys);
      found.forEach((bytes, i) => {
        const tick = (page - keys.length + i) * ticks;
        reader.read(keys[i]!, bytes!, 1 << slot, points, () => {
          if (points.length !== ticks || points.values.floats[0] !== uniformValue(group * slots + slot, tick))
            throw new Error(`a page of group ${group} has other points`);
        });
      });
    }
  };
  try {
    // Code is compiled, and files are open, before that.
    for (let i = 0; i < count; i++) await readMetric((first + i) % groups, i % slots);
    if (!dropCache(folder)) return { milliseconds: [], diskBytes: null };
    const fromDisk = bytesFromDisk();
    const milliseconds: number[] = [];
    for (let i = 0; i < count; i++) {
      const start = performance.now();
      await readMetric((first + count + i) % groups, i % slots);
      milliseconds.push(performance.now() - start);
    }
    const disk = bytesFromDisk();
    const diskBytes = disk === undefined || fromDisk === undefined ? null : (disk - fromDisk) / count;
    return { milliseconds, diskBytes };
  } finally {
    await store.close();
  }
}
