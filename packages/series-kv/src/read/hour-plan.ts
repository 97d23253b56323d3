/** Plans the hours of a read: hours in weeks with pages, and hours with points in the head. */

import type { TimeRange } from "@moonpack/series/driver";
import type { PageIndex } from "../store/page-index.js";
import type { HeadCopy } from "./head-copy.js";

const HOUR = 3_600_000;
const HOURS_A_WEEK = 168;

/** Iterates over the Unix hours that may have points of a range, ascending or descending. */
export class HourPlan {
  readonly #reverse: boolean;
  readonly #first: number;
  readonly #last: number;
  /** The weeks with pages, ascending, and the index of the next one. */
  readonly #weeks: readonly number[];
  #nextWeek: number;
  /** Hours of the head that are not yet returned, in reverse order. */
  readonly #headHours: number[];
  /** The remaining hours of the current week: from `#hour` up or down to `#end`. */
  #hour = 0;
  #end = 0;
  #hasWeek = false;

  constructor(index: PageIndex, copy: HeadCopy, { from, to }: TimeRange, reverse: boolean) {
    this.#reverse = reverse;
    this.#first = Math.floor(from / HOUR);
    this.#last = Math.ceil(to / HOUR) - 1;
    this.#weeks = index.allWeeks;
    this.#nextWeek = reverse ? this.#weeks.length - 1 : 0;
    this.#headHours = copy.hours;
    if (this.#headHours.length > 1) this.#headHours.sort((a, b) => (reverse ? a - b : b - a));
    this.#openWeek();
  }

  /** Returns the next hour; -1 after the last. */
  next(): number {
    const head = this.#headHours;
    if (!this.#hasWeek) return head.pop() ?? -1;
    // Hours of the head outside of the weeks with pages are inserted in order.
    const hour = this.#hour;
    const fromHead = head[head.length - 1];
    if (fromHead !== undefined && (this.#reverse ? fromHead > hour : fromHead < hour)) return head.pop()!;
    if (fromHead === hour) head.pop();
    if (hour === this.#end) this.#openWeek();
    else this.#hour += this.#reverse ? -1 : 1;
    return hour;
  }

  #openWeek(): void {
    const weeks = this.#weeks;
    const step = this.#reverse ? -1 : 1;
    this.#hasWeek = false;
    for (; this.#nextWeek >= 0 && this.#nextWeek < weeks.length; this.#nextWeek += step) {
      const week = weeks[this.#nextWeek]!;
      const first = Math.max(this.#first, week * HOURS_A_WEEK);
      const last = Math.min(this.#last, (week + 1) * HOURS_A_WEEK - 1);
      if (first > last) continue;
      this.#hour = this.#reverse ? last : first;
      this.#end = this.#reverse ? first : last;
      this.#hasWeek = true;
      this.#nextWeek += step;
      return;
    }
  }
}
