/**
 * Which pages a store has, as far as reads and roll-up must know: the weeks, and the groups of each hour that have minute pages. An
 * hour that is rolled up has none, so a read of it asks for one key instead of 61.
 */
import type { Store } from "../drivers/driver.js";
import { groupOfKey, minuteOfKey, weekKey, weekOf } from "../page/page-key.js";
import { HOURS, MINUTES } from "./columns.js";

/** Entries of hours above which the rest is not counted. */
const MAX_ENTRIES = 2_000_000;
const WEEKS = 65_536;

/** What is known of the pages. */
export class PageIndex {
  /** Weeks that have pages, by column. */
  readonly #weeks = new Map<number, Set<number>>([
    [MINUTES, new Set()],
    [HOURS, new Set()],
  ]);
  /** For each Unix hour the groups that have minute pages. */
  readonly #hours = new Map<number, Set<number>>();
  #entries = 0;
  /** {@link allWeeks}, until it changes. */
  #allWeeks: readonly number[] | undefined;
  /** False until all minute pages of the store are known: then each hour may have some. */
  #isComplete = false;
  /** The greatest Unix hour that may have an hour page. */
  lastHour = -1;

  /** The weeks that have pages of a column, ascending. */
  weeks(column: number): number[] {
    return [...this.#weeks.get(column)!].sort((a, b) => a - b);
  }

  /** All weeks that have pages, ascending. */
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

  /** True unless it is certain that a group has no minute pages in a Unix hour. */
  mayHaveMinutes(hour: number, group: number): boolean {
    return !this.#isComplete || this.#hours.get(hour)?.has(group) === true;
  }

  /** Minute pages of a group have been written. */
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

  /** An hour page has been written. */
  addHour(hour: number): void {
    this.#addWeek(HOURS, weekOf(hour * 60));
    this.lastHour = Math.max(this.lastHour, hour);
  }

  /** The minute pages of a group's hour have been deleted. */
  removeMinutes(hour: number, group: number): void {
    const groups = this.#hours.get(hour);
    if (groups?.delete(group)) this.#entries--;
    if (groups?.size === 0) this.#hours.delete(hour);
  }

  /** Weeks have been deleted from the store. */
  removeWeeks(before: number): void {
    for (const weeks of this.#weeks.values()) for (const week of weeks) if (week < before) weeks.delete(week);
    this.#allWeeks = undefined;
    for (const [hour, groups] of this.#hours) {
      if (weekOf(hour * 60) >= before) continue;
      this.#entries -= groups.size;
      this.#hours.delete(hour);
    }
  }

  /** The hours up to `last` that have minute pages, ascending, each with its groups. */
  due(last: number): [hour: number, groups: number[]][] {
    return [...this.#hours]
      .filter(([hour]) => hour <= last)
      .sort(([a], [b]) => a - b)
      .map(([hour, groups]) => [hour, [...groups].sort((a, b) => a - b)]);
  }

  /** Finds the weeks of a store that has just been opened: two short reads a week. */
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

  /** Finds the minute pages of a store that has just been opened. Weeks must be known. */
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
