/** Roll-up: merges the minute pages of an hour into hour pages (docs/series-format.md, section 5). */

import { mergePoints, PagePoints, type Registry, SLOTS, type TimeSlices } from "@moonpack/series/driver";
import type { Operation, Store } from "../drivers/driver.js";
import { HOUR_SLOTS, PageWriter } from "../page/page.js";
import { minuteOfKey, pageKey, pageKeyAfter } from "../page/page-key.js";
import { HOURS, MINUTES } from "../store/columns.js";
import type { PageIndex } from "../store/page-index.js";
import { ALL_SLOTS, keepDamagedPage, type StoredPages } from "../store/pages.js";
import { PageBatches } from "./page-batches.js";

const MINUTE = 60_000;
/** Maximum points of an hour page: otherwise readers would need too much memory, and the group keeps its minute pages. */
const MAX_POINTS = 131_072;
/** Ids are below 2^31. */
const MAX_GROUPS = 2 ** 31 / SLOTS;

/** Rolls up hours, with reused memory. */
export class HourRollup {
  readonly #store: Store;
  readonly #registry: Registry;
  readonly #pages: StoredPages;
  readonly #index: PageIndex;
  readonly #writer = new PageWriter();
  readonly #slots = Array.from({ length: SLOTS }, () => new PagePoints());
  readonly #points = new PagePoints();
  readonly #scratch = new PagePoints();
  /** Groups that keep the minute pages of an hour: see MAX_POINTS. */
  readonly #tooLarge = new Set<number>();
  /** Number of written hour pages. */
  written = 0;

  constructor(store: Store, registry: Registry, pages: StoredPages, index: PageIndex) {
    this.#store = store;
    this.#registry = registry;
    this.#pages = pages;
    this.#index = index;
  }

  /** Rolls up the groups of a Unix hour. `isStopped` is called between groups. */
  async rollUp(hour: number, groups: readonly number[], slices: TimeSlices, isStopped: () => boolean): Promise<void> {
    const batches = new PageBatches(this.#store);
    const done: number[] = [];
    // From now on reads request the hour page, because the batch removes the minute pages.
    this.#index.addHour(hour);
    try {
      for (const group of groups) {
        if (isStopped()) break;
        if (this.#tooLarge.has(hour * MAX_GROUPS + group)) continue;
        const operations = await this.#rollUpGroup(hour, group);
        if (operations === undefined) continue;
        const full = batches.add(operations);
        if (full !== undefined) await full;
        done.push(group);
        await slices.pause();
      }
      await batches.finish([]);
      for (const group of done) this.#index.removeMinutes(hour, group);
    } catch (error) {
      await batches.settle();
      throw error;
    }
  }

  /** Returns the operations for a group of 16 metrics; undefined if its minute pages stay. */
  async #rollUpGroup(hour: number, group: number): Promise<Operation[] | undefined> {
    const slots = this.#slots;
    for (const points of slots) points.length = 0;
    const operations: Operation[] = [];
    const hourKeys = hourKeysOf(hour, group);
    const hourPages = await this.#store.getMany(HOURS, hourKeys);
    hourPages.forEach((page, i) => {
      if (page !== undefined) this.#read(HOURS, hourKeys[i]!, page, i * HOUR_SLOTS, 0, operations);
    });
    const start = hour * 60;
    for await (const piece of this.#store.range(MINUTES, pageKey(start, group), pageKeyAfter(start, 60, group))) {
      for (const [key, page] of piece) {
        this.#read(MINUTES, key, page, 0, (minuteOfKey(key) - start) * MINUTE, operations);
        operations.push({ column: MINUTES, key });
      }
    }
    await this.#dropForgotten(group);
    for (const [i, key] of hourKeys.entries()) {
      const some = slots.slice(i * HOUR_SLOTS, (i + 1) * HOUR_SLOTS);
      const total = some.reduce((sum, { length }) => sum + length, 0);
      if (total > MAX_POINTS) {
        this.#tooLarge.add(hour * MAX_GROUPS + group);
        return undefined;
      }
      if (total > 0) operations.push({ column: HOURS, key, value: this.#writer.write(key, 60, some) });
      else if (hourPages[i] !== undefined) operations.push({ column: HOURS, key });
      if (total > 0) this.written++;
    }
    return operations;
  }

  /** Adds the points of a page: its slots start at `first`, its times at `offset`. Keeps a copy of a damaged page. */
  #read(
    column: number,
    key: Uint8Array,
    page: Uint8Array,
    first: number,
    offset: number,
    operations: Operation[],
  ): void {
    const wanted = column === HOURS ? (1 << HOUR_SLOTS) - 1 : ALL_SLOTS;
    const isWhole = this.#pages.read(column, key, page, wanted, this.#points, (slot, points) =>
      mergePoints(this.#slots[first + slot]!, points, offset, this.#scratch),
    );
    if (!isWhole) operations.push(keepDamagedPage(column, key, page));
  }

  /** Removes the points of forgotten metrics. */
  async #dropForgotten(group: number): Promise<void> {
    const ids = this.#slots.flatMap((points, slot) => (points.length > 0 ? [group * SLOTS + slot] : []));
    const metrics = await this.#registry.byIds(ids);
    metrics.forEach((metric, i) => {
      if (metric === undefined) this.#slots[ids[i]! & (SLOTS - 1)]!.length = 0;
    });
  }
}

/** Returns the keys of the hour pages for a group of 16 metrics. */
function hourKeysOf(hour: number, group: number): Uint8Array<ArrayBuffer>[] {
  const pages = SLOTS / HOUR_SLOTS;
  return Array.from({ length: pages }, (_, i) => pageKey(hour * 60, group * pages + i));
}
