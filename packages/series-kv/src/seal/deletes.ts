/**
 * Deletes of ranges of time (docs/series-format.md, section 5). The points are removed from the head by the call, and from pages later, but
 * before newer points are written to pages. Until then reads hide them.
 */

import { PagePoints, removePoints, SLOTS, type TimeSlices } from "@moonpack/series/driver";
import type { Operation, Store } from "../drivers/driver.js";
import { HOUR_SLOTS, PageWriter, type Span } from "../page/page.js";
import { minuteOfKey, pageKey, pageKeyAfter } from "../page/page-key.js";
import { HOURS, MINUTES } from "../store/columns.js";
import type { PageIndex } from "../store/page-index.js";
import { ALL_SLOTS, type StoredPages } from "../store/pages.js";
import { PageBatches } from "./page-batches.js";

const MINUTE = 60_000;
const MINUTES_A_WEEK = 10_080;

/** A delete that is not yet applied to pages. Times in milliseconds, `to` exclusive. */
export interface PendingDelete {
  readonly id: number;
  readonly from: number;
  readonly to: number;
  /** The log file with its record. */
  readonly file: number;
}

const NONE: readonly PendingDelete[] = /* @__PURE__ */ Object.freeze([]);

/** The deletes that are not yet applied to pages. */
export class PendingDeletes {
  #list: PendingDelete[] = [];

  add(one: PendingDelete): void {
    this.#list.push(one);
  }

  /** Returns the current deletes, in order. */
  get all(): readonly PendingDelete[] {
    return this.#list;
  }

  /** Returns the deletes of a metric. */
  of(id: number): readonly PendingDelete[] {
    return this.#list.length === 0 ? NONE : this.#list.filter((one) => one.id === id);
  }

  /** Removes a delete that was applied to pages. */
  done(one: PendingDelete): void {
    this.#list = this.#list.filter((other) => other !== one);
  }

  /** Returns the first log file with a delete; Infinity without deletes. */
  get firstFile(): number {
    return this.#list.reduce((first, { file }) => Math.min(first, file), Number.POSITIVE_INFINITY);
  }
}

/** Rewrites the pages with deleted points. */
export class PageDeleter {
  readonly #store: Store;
  readonly #pages: StoredPages;
  readonly #index: PageIndex;
  readonly #writer = new PageWriter();
  readonly #slots = Array.from({ length: SLOTS }, () => new PagePoints());
  readonly #points = new PagePoints();

  constructor(store: Store, pages: StoredPages, index: PageIndex) {
    this.#store = store;
    this.#pages = pages;
    this.#index = index;
  }

  /** Removes points from all pages. The last batch is synced. */
  async apply({ id, from, to }: PendingDelete, slices: TimeSlices): Promise<void> {
    const batches = new PageBatches(this.#store);
    // The last minute that can have a point before `to`.
    const last = Math.ceil(to / MINUTE) - 1;
    try {
      for (const column of [MINUTES, HOURS]) {
        const span: Span = column === HOURS ? 60 : 1;
        const slots = column === HOURS ? HOUR_SLOTS : SLOTS;
        const group = Math.floor(id / slots);
        const first = Math.floor(from / MINUTE / span) * span;
        for (const week of this.#index.weeks(column)) {
          const start = Math.max(first, week * MINUTES_A_WEEK);
          const end = Math.min(last, (week + 1) * MINUTES_A_WEEK - 1);
          if (start > end) continue;
          const range = this.#store.range(column, pageKey(start, group), pageKeyAfter(end, 1, group));
          for await (const piece of range) {
            for (const [key, page] of piece) {
              const operation = this.#without(column, span, key, page, id & (slots - 1), from, to);
              const full = operation === undefined ? undefined : batches.add([operation]);
              if (full !== undefined) await full;
              await slices.pause();
            }
          }
        }
      }
      await batches.finish([]);
    } catch (error) {
      await batches.settle();
      throw error;
    }
  }

  /** Returns the operation that removes points of a slot from a page; undefined if the page has none of them, or is damaged. */
  #without(
    column: number,
    span: Span,
    key: Uint8Array,
    page: Uint8Array,
    slot: number,
    from: number,
    to: number,
  ): Operation | undefined {
    const slots = this.#slots;
    for (const points of slots) points.length = 0;
    const isWhole = this.#pages.read(column, key, page, ALL_SLOTS, this.#points, (k, points) =>
      slots[k]!.copyFrom(points),
    );
    if (!isWhole) return undefined;
    const start = minuteOfKey(key) * MINUTE;
    if (removePoints(slots[slot]!, from - start, to - start) === 0) return undefined;
    if (slots.every((points) => points.length === 0)) return { column, key };
    return { column, key, value: this.#writer.write(key, span, slots) };
  }
}
