/** The lower half of a store whose points are pages in a key-value database. */
import type { Damage } from "../api.js";
import { backUp } from "../backup/backup.js";
import type { Driver, Store } from "../drivers/driver.js";
import type { BatchMemory } from "../read/batches.js";
import { PageFetcher } from "../read/page-fetcher.js";
import { PageScan } from "../read/page-scan.js";
import { Scan, type ScanSource } from "../read/scan.js";
import type { OpenedStore, PointRequest, PointScan, SealedParts, SealedStore } from "../read/sealed-store.js";
import type { PendingMetric } from "../registry/metric-memory.js";
import { PendingDeletes } from "../seal/deletes.js";
import type { Deleted } from "../seal/jobs.js";
import { Maintenance } from "../seal/maintenance.js";
import { checkStore } from "../store/check.js";
import { COLUMNS, HOURS, MINUTES } from "../store/columns.js";
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
  readonly names: Store;
  readonly nextId: number;
  readonly firstLog: number;
  readonly #sealed: number;
  readonly #index: PageIndex;
  readonly #deletes = new PendingDeletes();

  readonly #driver: Driver;

  constructor(driver: Driver, store: Store, { next, log, sealed }: OpenedMeta, index: PageIndex) {
    this.#driver = driver;
    this.names = store;
    this.nextId = next;
    this.firstLog = log;
    this.#sealed = sealed;
    this.#index = index;
  }

  addDelete(deleted: Deleted): void {
    this.#deletes.add(deleted);
  }

  start(parts: SealedParts): SealedStore {
    return new KeyValueStore(parts, this.#driver, this.names, this.#index, this.#deletes, this.#sealed);
  }

  async close(): Promise<void> {
    await this.names.close();
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
    return new PageScan(new Scan(this.#source, { id, from, to, reverse, scheduler }, memory.scan), memory);
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
