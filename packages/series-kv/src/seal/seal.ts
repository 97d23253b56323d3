/** Sealing: writes the points of minutes into pages (docs/series-format.md, section 4). */

import {
  groupsOf,
  type Head,
  type HeadMinute,
  mergePoints,
  PagePoints,
  SLOTS,
  type TimeSlices,
} from "@moonpack/series/driver";
import type { Operation, Store } from "../drivers/driver.js";
import { PageWriter } from "../page/page.js";
import { pageKey } from "../page/page-key.js";
import { MINUTES } from "../store/columns.js";
import type { PageIndex } from "../store/page-index.js";
import { ALL_SLOTS, keepDamagedPage, type StoredPages } from "../store/pages.js";
import type { PageBatches } from "./page-batches.js";

/** Number of groups whose pages are read together for merging. */
const GROUPS_A_READ = 64;

/** Writes minute pages, with reused memory. */
export class MinuteSealer {
  readonly #store: Store;
  readonly #head: Head;
  readonly #pages: StoredPages;
  readonly #index: PageIndex;
  readonly #writer = new PageWriter();
  readonly #slots = Array.from({ length: SLOTS }, () => new PagePoints());
  readonly #points = new PagePoints();
  readonly #scratch = new PagePoints();
  /** Number of written pages. */
  written = 0;

  constructor(store: Store, head: Head, pages: StoredPages, index: PageIndex) {
    this.#store = store;
    this.#head = head;
    this.#pages = pages;
    this.#index = index;
  }

  /**
   * Writes the pages of one minute: `parts` are its frozen points, the older first. With `mayHavePages`, points are merged with existing
   * pages.
   */
  async seal(
    parts: readonly HeadMinute[],
    mayHavePages: boolean,
    batches: PageBatches,
    slices: TimeSlices,
  ): Promise<void> {
    const { minute } = parts[0]!;
    const groups = groupsOf(parts);
    for (let i = 0; i < groups.length; i += GROUPS_A_READ) {
      const some = groups.slice(i, i + GROUPS_A_READ);
      const keys = some.map((group) => pageKey(minute, group));
      const pages = mayHavePages ? await this.#store.getMany(MINUTES, keys) : [];
      for (let k = 0; k < some.length; k++) {
        const operations = this.#sealGroup(parts, some[k]!, keys[k]!, pages[k]);
        const full = operations.length === 0 ? undefined : batches.add(operations);
        if (full !== undefined) await full;
        await slices.pause();
      }
    }
  }

  #sealGroup(
    parts: readonly HeadMinute[],
    group: number,
    key: Uint8Array<ArrayBuffer>,
    page: Uint8Array | undefined,
  ): Operation[] {
    const slots = this.#slots;
    for (const points of slots) points.length = 0;
    const operations: Operation[] = [];
    if (page !== undefined) {
      const isWhole = this.#pages.read(MINUTES, key, page, ALL_SLOTS, this.#points, (slot, points) =>
        mergePoints(slots[slot]!, points, 0, this.#scratch),
      );
      if (!isWhole) operations.push(keepDamagedPage(MINUTES, key, page));
    }
    for (const part of parts) {
      for (let slot = 0; slot < SLOTS; slot++) {
        const target = slots[slot]!;
        const id = group * SLOTS + slot;
        // The slot is usually empty; then the points are read directly into it.
        const points = target.length === 0 ? target : this.#points;
        if (!this.#head.collect(part, id, points)) continue;
        if (points !== target) mergePoints(target, points, 0, this.#scratch);
      }
    }
    if (slots.every((points) => points.length === 0)) return operations;
    operations.push({ column: MINUTES, key, value: this.#writer.write(key, 1, slots) });
    this.#index.addMinute(parts[0]!.minute, group);
    this.written++;
    return operations;
  }
}
