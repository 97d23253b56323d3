/**
 * A copy of one metric's points in the head, made when a read starts. Sealing may free the head's memory during the read.
 */
import { type Head, mergePoints, PagePoints, removePoints, type TimeRange } from "@moonpack/series/driver";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const NONE: ReadonlyMap<number, PagePoints> = /* @__PURE__ */ new Map();

/** Points of the head by Unix hour. Times count from the start of the hour. */
export class HeadCopy {
  readonly #hours: ReadonlyMap<number, PagePoints>;

  constructor(head: Head, id: number, { from, to }: TimeRange, points: PagePoints, scratch: PagePoints) {
    const minutes = head.minutesOf(id, Math.floor(from / MINUTE), Math.ceil(to / MINUTE) - 1);
    if (minutes.length === 0) {
      this.#hours = NONE;
      return;
    }
    const hours = new Map<number, PagePoints>();
    for (const minute of minutes) {
      if (!head.collect(minute, id, points)) continue;
      const hour = Math.floor(minute.minute / 60);
      let target = hours.get(hour);
      if (target === undefined) {
        target = new PagePoints();
        hours.set(hour, target);
      }
      mergePoints(target, points, minute.minute * MINUTE - hour * HOUR, scratch);
    }
    for (const [hour, target] of hours) {
      removePoints(target, Number.NEGATIVE_INFINITY, from - hour * HOUR);
      removePoints(target, to - hour * HOUR, Number.POSITIVE_INFINITY);
      if (target.length === 0) hours.delete(hour);
    }
    this.#hours = hours;
  }

  /** Returns the hours with points, as a new list. */
  get hours(): number[] {
    return this.#hours.size === 0 ? [] : [...this.#hours.keys()];
  }

  /** Returns the points of an hour; undefined without points. */
  of(hour: number): PagePoints | undefined {
    return this.#hours.get(hour);
  }
}
