/**
 * An index of pages for reads and roll-up: the weeks with pages, and for each hour the groups with minute pages. A rolled-up hour has no
 * minute pages, so a read of it needs one key instead of 61.
 */

import { weekOf } from "@moonpack/series/driver";
import type { Store } from "../drivers/driver.js";
import { groupOfKey, minuteOfKey, weekKey } from "../page/page-key.js";
import { HOURS, MINUTES } from "./columns.js";

/** Maximum number of entries for hours. */
const MAX_ENTRIES = 2_000_000;
const WEEKS = 65_536;

/** The index of pages. */
export class PageIndex {
  /** Weeks with pages, by column. */
  readonly #weeks = new Map<number, Set<number>>([
    [MINUTES, new Set()],
    [HOURS, new Set()],
  ]);
  /** For each Unix hour the groups with minute pages. */
  readonly #hours = new Map<number, Set<number>>();
  #entries = 0;
  /** The cached result of {@link allWeeks}. */
  #allWeeks: readonly number[] | undefined;
  /** True when all minute pages of the store are known. Before that, each hour may have some. */
  #isComplete = false;
  /** The greatest Unix hour that may have an hour page. */
  lastHour = -1;

  /** Returns the weeks with pages of a column, ascending. */
  weeks(column: number): number[] {
    return [...this.#weeks.get(column)!].sort((a, b) => a - b);
  }

  /** Returns all weeks with pages, ascending. */
  get allWeeks(): readonly number[] {
    return (this.#allWeeks ??= [...new Set([...this.#weeks.get(MINUTES)!, ...this.#weeks.get(HOURS)!])].sort(
      (a, b) => a - b,
    ));
  }

  #addWeek(column: number, week: number): void {
    const weeks = this.#weeks.get(column)!;
    if (weeks.has(week)) return;
    weeks.add(week);
    this.#allWeeks = undefined;
  }

  /** False only if a group certainly has no minute pages in a Unix hour. */
  mayHaveMinutes(hour: number, group: number): boolean {
    return !this.#isComplete || this.#hours.get(hour)?.has(group) === true;
  }

  /** Registers written minute pages of a group. */
  addMinute(minute: number, group: number): void {
    this.#addWeek(MINUTES, weekOf(minute));
    const hour = Math.floor(minute / 60);
    let groups = this.#hours.get(hour);
    if (groups === undefined) {
      groups = new Set();
      this.#hours.set(hour, groups);
    }
    if (groups.has(group)) return;
    groups.add(group);
    this.#entries++;
    if (this.#entries > MAX_ENTRIES) this.#isComplete = false;
  }

  /** Registers a written hour page. */
  addHour(hour: number): void {
    this.#addWeek(HOURS, weekOf(hour * 60));
    this.lastHour = Math.max(this.lastHour, hour);
  }

  /** Registers that the minute pages of a group's hour have been deleted. */
  removeMinutes(hour: number, group: number): void {
    const groups = this.#hours.get(hour);
    if (groups?.delete(group)) this.#entries--;
    if (groups?.size === 0) this.#hours.delete(hour);
  }

  /** Registers that weeks have been deleted. */
  removeWeeks(before: number): void {
    for (const weeks of this.#weeks.values()) for (const week of weeks) if (week < before) weeks.delete(week);
    this.#allWeeks = undefined;
    for (const [hour, groups] of this.#hours) {
      if (weekOf(hour * 60) >= before) continue;
      this.#entries -= groups.size;
      this.#hours.delete(hour);
    }
  }

  /** Returns the hours up to `last` with minute pages, ascending, each with its groups. */
  due(last: number): [hour: number, groups: number[]][] {
    return [...this.#hours]
      .filter(([hour]) => hour <= last)
      .sort(([a], [b]) => a - b)
      .map(([hour, groups]) => [hour, [...groups].sort((a, b) => a - b)]);
  }

  /** Finds the weeks of a newly opened store: two short reads per week. */
  async findWeeks(store: Store): Promise<void> {
    for (const column of [MINUTES, HOURS]) {
      for (let week = 0; week < WEEKS; week++) {
        const first = await firstKey(store, column, weekKey(week));
        if (first === undefined) break;
        week = weekOf(minuteOfKey(first));
        this.#addWeek(column, week);
        if (column === HOURS) this.lastHour = Math.max(this.lastHour, (week + 1) * 168 - 1);
      }
    }
  }

  /** Finds the minute pages of a newly opened store. Weeks must be known. */
  async findMinutes(store: Store): Promise<void> {
    for (const week of this.weeks(MINUTES)) {
      for await (const piece of store.range(MINUTES, weekKey(week), weekKey(week + 1), { keysOnly: true })) {
        for (const [key] of piece) this.addMinute(minuteOfKey(key), groupOfKey(key));
        if (this.#entries > MAX_ENTRIES) return;
      }
    }
    this.#isComplete = true;
  }

  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** A new store has no pages. */
  isNew(): void {
    this.#isComplete = true;
  }
}

async function firstKey(store: Store, column: number, from: Uint8Array): Promise<Uint8Array | undefined> {
  for await (const piece of store.range(column, from, weekKey(WEEKS), { keysOnly: true })) return piece[0]![0];
  return undefined;
}
