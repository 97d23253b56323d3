/**
 * The minutes of the head that get points, by hour. A map of all minutes would grow anew with each round: with 60 days of history in the
 * head, that is more garbage than the minutes themselves.
 */
import type { HeadMinute } from "./head-minute.js";

const HOUR_MINUTES = 60;

/** Open minutes. */
export class OpenMinutes {
  /** The minutes of each hour, by minute of the hour. */
  readonly #hours = new Map<number, (HeadMinute | undefined)[]>();

  /** True without any minute. */
  get isEmpty(): boolean {
    return this.#hours.size === 0;
  }

  get(minute: number): HeadMinute | undefined {
    return this.#hours.get(Math.floor(minute / HOUR_MINUTES))?.[minute % HOUR_MINUTES];
  }

  add(one: HeadMinute): void {
    const hour = Math.floor(one.minute / HOUR_MINUTES);
    let minutes = this.#hours.get(hour);
    if (minutes === undefined) this.#hours.set(hour, (minutes = new Array(HOUR_MINUTES).fill(undefined)));
    minutes[one.minute % HOUR_MINUTES] = one;
  }

  /** Calls a function with each minute from `from` to `to`, both inclusive, in any order. */
  each(from: number, to: number, see: (minute: HeadMinute) => void): void {
    for (const [hour, minutes] of this.#hours) {
      if ((hour + 1) * HOUR_MINUTES <= from || hour * HOUR_MINUTES > to) continue;
      for (const one of minutes) if (one !== undefined && one.minute >= from && one.minute <= to) see(one);
    }
  }

  /** True if there is a minute up to `last`. */
  has(last: number): boolean {
    for (const [hour, minutes] of this.#hours)
      if (hour * HOUR_MINUTES <= last && minutes.some((one) => one !== undefined && one.minute <= last)) return true;
    return false;
  }

  /** Removes all minutes up to `last`, and adds them to a list. */
  take(last: number, taken: HeadMinute[]): void {
    const later: HeadMinute[] = [];
    this.each(0, Number.POSITIVE_INFINITY, (one) => void (one.minute > last ? later : taken).push(one));
    this.#hours.clear();
    for (const one of later) this.add(one);
  }
}
