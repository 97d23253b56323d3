/** The lower half of a store whose points are pages in a key-value database. */
import type { Damage } from "@moonpack/series";
import type {
  BatchMemory,
  Deleted,
  OpenedStore,
  PendingMetric,
  PointRequest,
  PointScan,
  SealedParts,
  SealedStore,
} from "@moonpack/series/driver";
import { backUp } from "../backup/backup.js";
import type { Driver, Store } from "../drivers/driver.js";
import { PageFetcher } from "../read/page-fetcher.js";
import { PageScan } from "../read/page-scan.js";
import { Scan, ScanMemory, type ScanSource } from "../read/scan.js";
import { PendingDeletes } from "../seal/deletes.js";
import { Maintenance } from "../seal/maintenance.js";
import { checkStore } from "../store/check.js";
import { COLUMNS, HOURS, MINUTES } from "../store/columns.js";
import { DatabaseNames } from "../store/metric-entries.js";
import type { PageIndex } from "../store/page-index.js";
import { StoredPages } from "../store/pages.js";

/** The counters in the column `meta`. */
export interface OpenedMeta {
  readonly next: number;
  readonly log: number;
  /** The last minute that was sealed; -1 before the first. */
  readonly sealed: number;
}

/** An open database, before the log is read. */
export class OpenedDatabase implements OpenedStore {
  readonly names: DatabaseNames;
  readonly nextId: number;
  readonly firstLog: number;
  readonly #sealed: number;
  readonly #index: PageIndex;
  readonly #deletes = new PendingDeletes();

  readonly #driver: Driver;
  readonly #store: Store;

  constructor(driver: Driver, store: Store, { next, log, sealed }: OpenedMeta, index: PageIndex) {
    this.#driver = driver;
    this.#store = store;
    this.names = new DatabaseNames(store);
    this.nextId = next;
    this.firstLog = log;
    this.#sealed = sealed;
    this.#index = index;
  }

  addDelete(deleted: Deleted): void {
    this.#deletes.add(deleted);
  }

  start(parts: SealedParts): SealedStore {
    return new KeyValueStore(parts, this.#driver, this.#store, this.#index, this.#deletes, this.#sealed);
  }

  async close(): Promise<void> {
    await this.#store.close();
  }
}

/** The lower half of a store in a database. */
class KeyValueStore implements SealedStore {
  readonly jobs: Maintenance;
  readonly #parts: SealedParts;
  readonly #driver: Driver;
  readonly #store: Store;
  readonly #deletes: PendingDeletes;
  readonly #pages: StoredPages;
  readonly #source: ScanSource;

  constructor(
    parts: SealedParts,
    driver: Driver,
    store: Store,
    index: PageIndex,
    deletes: PendingDeletes,
    sealed: number,
  ) {
    this.#driver = driver;
    const { settings, head } = parts;
    this.#parts = parts;
    this.#store = store;
    this.#deletes = deletes;
    this.#pages = new StoredPages(settings.undecodable, settings.onWarning);
    this.jobs = new Maintenance({ ...parts, store, index, deletes }, sealed);
    const [minutes, hours] = [new PageFetcher(store, MINUTES), new PageFetcher(store, HOURS)];
    this.#source = { head, index, deletes, pages: this.#pages, minutes, hours };
    // If this fails, reads take longer, and the roll-up tries again.
    this.jobs.run(() => this.jobs.findMinutes()).catch(() => undefined);
  }

  scan({ metric: { id }, from, to, reverse, scheduler }: PointRequest, memory: BatchMemory): PointScan {
    const own = memory.ofStore instanceof ScanMemory ? memory.ofStore : new ScanMemory();
    memory.ofStore = own;
    return new PageScan(new Scan(this.#source, { id, from, to, reverse, scheduler }, own), own);
  }

  addDelete(deleted: Deleted): void {
    this.#deletes.add(deleted);
  }

  forget(metric: PendingMetric, file: number): void {
    this.jobs.forget(metric, file);
  }

  async size(): Promise<number> {
    let bytes = 0;
    for (let column = 0; column < COLUMNS.length; column++) bytes += await this.#store.size(column);
    return bytes;
  }

  get corrupt(): number {
    return this.#pages.corrupt;
  }

  async compact(): Promise<void> {
    // Work that is left when the store closes is done by a later call, or by the database itself.
    for (let column = 0; column < COLUMNS.length && !this.jobs.isStopped; column++) await this.#store.compact?.(column);
  }

  check(): Promise<readonly Damage[]> {
    return checkStore(this.#store);
  }

  async backup(to: string): Promise<void> {
    const { head, registry, files } = this.#parts;
    const changes = () => ({ deletes: [...this.#deletes.all], forgotten: this.jobs.forgotten });
    const exclusive = <T>(job: () => Promise<T>) => this.jobs.run(job);
    const source = { driver: this.#driver, store: this.#store, head, registry, files, changes, exclusive };
    await backUp(source, to);
  }

  async close(): Promise<void> {
    await this.#store.close();
  }
}
