/**
 * Windows of local time. Clock windows are up to a day long: one begins whenever the local time is a multiple of the length, or passes
 * a multiple. Calendar windows begin at the first moment of a local date. All times are milliseconds.
 */

import type { OffsetSpan, Zone } from "../time-zone.js";
import type { WindowGrid } from "./grid.js";

const DAY = 86_400_000;
/** Number of calendar windows whose starts are kept. */
const MAX_STARTS = 4096;

/** Keeps the borders of the last window. */
abstract class LocalGrid implements WindowGrid {
  readonly length: number;
  #start = Number.NaN;
  #end = Number.NaN;

  protected constructor(length: number) {
    this.length = length;
  }

  startOf(time: number): number {
    this.#find(time);
    return this.#start;
  }

  endOf(start: number): number {
    this.#find(start);
    return this.#end;
  }

  #find(time: number): void {
    if (time >= this.#start && time < this.#end) return;
    [this.#start, this.#end] = this.bordersOf(time);
  }

  /** Returns the start and the end of the window that contains a time. */
  protected abstract bordersOf(time: number): readonly [number, number];
}

/** Windows of at most a day on the clocks of a zone. A window that clocks show twice is two windows; others are longer or shorter. */
export class ClockGrid extends LocalGrid {
  readonly #zone: Zone;
  readonly #origin: number;

  /** `origin` is the local time at which a window starts. */
  constructor(zone: Zone, length: number, origin: number) {
    super(length);
    this.#zone = zone;
    this.#origin = origin;
  }

  protected override bordersOf(time: number): [number, number] {
    const span = this.#zone.at(time);
    const start = this.#multiple(time, span);
    return [this.#startIn(start, span), this.#endIn(start + this.length, span)];
  }

  /** Returns the last multiple of the length up to a time, by the clocks of a span. */
  #multiple(time: number, { offset }: OffsetSpan): number {
    return time - modulo(time + offset - this.#origin, this.length);
  }

  #startIn(start: number, span: OffsetSpan): number {
    if (start >= span.from) return start;
    const before = this.#zone.at(span.from - 1);
    if (this.#isBorder(before, span)) return span.from;
    return this.#startIn(this.#multiple(span.from - 1, before), before);
  }

  #endIn(end: number, span: OffsetSpan): number {
    if (end < span.to) return end;
    const after = this.#zone.at(span.to);
    if (this.#isBorder(span, after)) return span.to;
    return this.#endIn(this.#multiple(span.to, after) + this.length, after);
  }

  /** True if a window starts with the later one of neighbouring spans. */
  #isBorder(before: OffsetSpan, after: OffsetSpan): boolean {
    const local = after.from + after.offset - this.#origin;
    if (local % this.length === 0) return true;
    const last = after.from - 1 + before.offset - this.#origin;
    return Math.floor(last / this.length) !== Math.floor(local / this.length);
  }
}

/** Numbers the windows of a calendar. */
export interface Calendar {
  /** The length of a window, or about that. */
  readonly length: number;
  /** Returns the number of the window that contains a local time. */
  indexOf(local: number): number;
  /** Returns the local time at which a window starts. */
  localStart(index: number): number;
}

/** Whole days from a local time on. */
export function dayCalendar(days: number, origin: number): Calendar {
  const length = days * DAY;
  return {
    length,
    indexOf: (local) => Math.floor((local - origin) / length),
    localStart: (index) => origin + index * length,
  };
}

/** Whole months from a local time on. Its day of the month must be at most 28. */
export function monthCalendar(months: number, origin: number): Calendar {
  const date = new Date(origin);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  const rest = modulo(origin, DAY);
  const localStart = (index: number) => Date.UTC(year, month + index * months, day) + rest;
  return {
    length: months * 30 * DAY,
    indexOf: (local) => {
      const at = new Date(local);
      const index = Math.floor(((at.getUTCFullYear() - year) * 12 + at.getUTCMonth() - month) / months);
      return localStart(index) > local ? index - 1 : index;
    },
    localStart,
  };
}

/** Windows of a calendar in a zone. A date that the zone skips has no window. */
export class CalendarGrid extends LocalGrid {
  readonly #zone: Zone;
  readonly #calendar: Calendar;
  readonly #starts = new Map<number, number>();

  constructor(zone: Zone, calendar: Calendar) {
    super(calendar.length);
    this.#zone = zone;
    this.#calendar = calendar;
  }

  protected override bordersOf(time: number): [number, number] {
    let index = this.#calendar.indexOf(this.#zone.toLocal(time));
    // Clocks may go back to the date before.
    while (this.#start(index + 1) <= time) index++;
    return [this.#start(index), this.#start(index + 1)];
  }

  #start(index: number): number {
    const known = this.#starts.get(index);
    if (known !== undefined) return known;
    const start = this.#zone.first(this.#calendar.localStart(index));
    if (this.#starts.size === MAX_STARTS) this.#starts.clear();
    this.#starts.set(index, start);
    return start;
  }
}

function modulo(number: number, length: number): number {
  const rest = number % length;
  return rest < 0 ? rest + length : rest;
}
