/**
 * The background jobs of a store, one at a time (docs/series-format.md, section 4): applying deletes to pages, sealing minutes, rolling up
 * hours, dropping old weeks. Each job writes atomic batches, so after a crash work is repeated, but no data is lost.
 */

import {
  type DropWhen,
  type Head,
  type HeadMinute,
  type Jobs,
  type PendingMetric,
  type Reach,
  type Registry,
  RetentionClock,
  type Settings,
  TimeSlices,
  type WriteAheadLog,
  weekOf,
} from "@moonpack/series/driver";
import type { Store } from "../drivers/driver.js";
import { weekKey } from "../page/page-key.js";
import { HOURS, MINUTES, metaOperation } from "../store/columns.js";
import type { PageIndex } from "../store/page-index.js";
import { StoredPages } from "../store/pages.js";
import { deleteMetric, persistMetrics } from "../store/persist.js";
import { PageDeleter, type PendingDeletes } from "./deletes.js";
import { PageBatches } from "./page-batches.js";
import { HourRollup } from "./rollup.js";
import { MinuteSealer } from "./seal.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** The parts of a store that the jobs need. */
export interface MaintenanceParts {
  readonly settings: Settings;
  readonly store: Store;
  readonly log: WriteAheadLog;
  readonly head: Head;
  readonly registry: Registry;
  readonly index: PageIndex;
  readonly deletes: PendingDeletes;
}

/** Runs the jobs of one store. */
export class Maintenance implements Jobs {
  readonly #parts: MaintenanceParts;
  readonly #pages: StoredPages;
  readonly #sealer: MinuteSealer;
  readonly #rollup: HourRollup;
  readonly #deleter: PageDeleter;
  readonly #clock: RetentionClock;
  /** The last job; the next one waits for it. */
  #last: Promise<unknown> = Promise.resolve();
  #isStopped = false;
  /** Number of successful rounds. */
  rounds = 0;
  /** The last sealed Unix minute; -1 before the first. */
  sealed: number;
  /** Minutes up to this one may have pages although they are not sealed: a crash may have left them. */
  readonly #mayHavePages: number;
  readonly #forgotten = new Set<PendingMetric & { readonly file: number }>();

  constructor(parts: MaintenanceParts, sealed: number) {
    this.#parts = parts;
    this.sealed = sealed;
    const { settings, store, head, registry, index } = parts;
    this.#clock = new RetentionClock(settings.now, this.#sealedUntil);
    this.#mayHavePages = Math.floor(settings.now() / MINUTE);
    // A round continues after damage: it keeps a copy of the damaged page and writes a new one.
    this.#pages = new StoredPages("skip", settings.onWarning);
    this.#sealer = new MinuteSealer(store, head, this.#pages, index);
    this.#rollup = new HourRollup(store, registry, this.#pages, index);
    this.#deleter = new PageDeleter(store, this.#pages, index);
  }

  /** The end of the last sealed minute. */
  get #sealedUntil(): number {
    return (this.sealed + 1) * MINUTE;
  }

  get pagesWritten(): number {
    return this.#sealer.written;
  }

  get hoursWritten(): number {
    return this.#rollup.written;
  }

  get corrupt(): number {
    return this.#pages.corrupt;
  }

  /** Runs a job after those before it. */
  run<T>(job: () => Promise<T>): Promise<T> {
    const done = this.#last.then(job);
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** Makes long jobs end early, because the store is closing. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Waits for all jobs. */
  async settled(): Promise<void> {
    await this.#last;
  }

  /** Registers a forgotten metric; the log file `file` has its record. The next job deletes its entries. */
  forget(metric: PendingMetric, file: number): void {
    this.#forgotten.add({ ...metric, file });
  }

  /** Ids of forgotten metrics whose entries are still in the store. */
  get forgotten(): readonly number[] {
    return [...this.#forgotten].map(({ metric }) => metric.id);
  }

  /** True if long jobs must end early. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** True if {@link applyDeletes} has work. */
  get #hasDeletes(): boolean {
    return this.#parts.deletes.all.length > 0 || this.#forgotten.size > 0;
  }

  /** Removes deleted points from pages, and forgotten metrics from the store. */
  async applyDeletes(): Promise<void> {
    const { store, deletes } = this.#parts;
    const slices = new TimeSlices();
    for (const one of [...deletes.all]) {
      await this.#deleter.apply(one, slices);
      deletes.done(one);
    }
    for (const metric of [...this.#forgotten]) {
      await deleteMetric(store, metric);
      this.#forgotten.delete(metric);
    }
  }

  /** Runs a round: writes new metrics, then pages. */
  async seal(reach: Reach): Promise<void> {
    const { store, log, head, registry, deletes, settings } = this.#parts;
    // Deletes are applied to pages before newer points are written. No delete may come between this and the freezing.
    while (this.#hasDeletes || head.adding !== undefined) {
      await head.adding;
      await this.applyDeletes();
    }
    const last = this.#lastMinute(reach, settings.now());
    if (reach === "due" && registry.pending.size === 0 && !head.hasMinutes(last)) return;
    log.rotate();
    const nextFile = log.file;
    const minutes = head.freeze(last);
    await persistMetrics(store, registry);
    const batches = new PageBatches(store);
    const slices = new TimeSlices();
    let { sealed } = this;
    try {
      for (const parts of byMinute(minutes)) {
        const { minute } = parts[0]!;
        const mayHavePages = minute <= this.sealed || minute <= this.#mayHavePages;
        await this.#sealer.seal(parts, mayHavePages, batches, slices);
        sealed = Math.max(sealed, minute);
      }
      // Keeps log files with points that were written during the round, or whose minute has not ended.
      const kept = Math.min(nextFile, head.firstFileBeside(last), deletes.firstFile, this.#firstForgotten());
      const ends = [metaOperation("log", kept)];
      if (sealed >= 0) ends.push(metaOperation("sealed", sealed));
      // Ids of metrics that were forgotten before a round wrote them stay reserved, after their log records are gone.
      const { next } = registry;
      if (next > registry.persistedNext) ends.push(metaOperation("next", next));
      await batches.finish(ends);
      registry.persisted([], next);
      this.sealed = sealed;
      head.drop(minutes);
      await log.removeBefore(kept);
      this.rounds++;
    } catch (error) {
      await batches.settle();
      throw error;
    }
  }

  #lastMinute(reach: Reach, now: number): number {
    if (reach === "all") return Number.POSITIVE_INFINITY;
    const due = Math.floor((now - this.#parts.settings.grace) / MINUTE) - 1;
    return Math.max(reach === "past" ? Math.floor(now / MINUTE) : due, this.sealed);
  }

  #firstForgotten(): number {
    let first = Number.POSITIVE_INFINITY;
    for (const { file } of this.#forgotten) first = Math.min(first, file);
    return first;
  }

  /** Finds the minute pages of a newly opened store. Before that, reads request each minute of an hour. */
  async findMinutes(): Promise<void> {
    const { index, store } = this.#parts;
    if (!index.isComplete) await index.findMinutes(store);
  }

  /** Rolls up the due hours. */
  async rollUp(): Promise<void> {
    const { settings, index } = this.#parts;
    if (settings.rollupAfter === Number.POSITIVE_INFINITY) return;
    await this.findMinutes();
    const last = Math.floor((settings.now() - settings.rollupAfter) / HOUR) - 1;
    const slices = new TimeSlices();
    for (const [hour, groups] of index.due(last)) {
      if (this.#isStopped) return;
      await this.#rollup.rollUp(hour, groups, slices, () => this.#isStopped);
    }
  }

  /**
   * Deletes the weeks that are completely beyond retention. A single wrong reading of the clock has no effect. `isAsked`: the call comes from
   * the user, and minutes that were sealed in this run count as readings.
   */
  async dropOldWeeks(when: DropWhen): Promise<void> {
    const { settings, index, store } = this.#parts;
    if (settings.retention === Number.POSITIVE_INFINITY) return;
    const now = when === "now" ? settings.now() : this.#clock.read(when === "sealed" ? this.#sealedUntil : 0);
    const oldest = now - settings.retention;
    if (oldest <= 0) return;
    const week = weekOf(Math.floor(oldest / MINUTE));
    const [first] = index.allWeeks;
    if (first === undefined || first >= week) return;
    for (const column of [MINUTES, HOURS]) await store.deleteRange(column, weekKey(first), weekKey(week));
    index.removeWeeks(week);
  }
}

function byMinute(minutes: readonly HeadMinute[]): HeadMinute[][] {
  const lists = new Map<number, HeadMinute[]>();
  for (const one of minutes) {
    const list = lists.get(one.minute);
    if (list === undefined) lists.set(one.minute, [one]);
    else list.push(one);
  }
  return [...lists.values()];
}
