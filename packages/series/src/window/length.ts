/** The lengths of windows: fixed lengths, and lengths in local time. */
import { durationMs, invalidArgument } from "moonpack/bytes";
import type { Zone } from "../time-zone.js";
import { FixedGrid, type WindowGrid } from "./grid.js";
import { CalendarGrid, ClockGrid, dayCalendar, monthCalendar } from "./local-grid.js";

const DAY = 86_400_000;
/** Starts of windows, and times within windows, are exact up to this size. */
const MAX_WINDOW = 2 ** 52;
/** Calendar windows are at most a century long. */
const MAX_YEARS = 100;
/** 1970-01-05: the first Monday. */
const MONDAY = 4 * DAY;

/** Returns the maximum number of days, weeks, months or years of a window: a century. */
function maxCount(unit: string): number {
  return unit === "d" ? 36_525 : unit === "w" ? 5217 : unit === "mo" ? 12 * MAX_YEARS : MAX_YEARS;
}

/**
 * Returns the windows of a length, from `origin` on. In a zone, days, weeks, months and years follow the calendar, and shorter windows
 * follow the clocks. Throws `ERR_INVALID_ARGUMENT`.
 */
export function windowGrid(length: unknown, origin: number | undefined, zone: Zone | undefined): WindowGrid {
  const calendar = typeof length === "string" ? /^(.*\d)(d|w|mo|y)$/.exec(length) : null;
  const unit = calendar?.[2];
  if (zone === undefined) {
    if (unit === "mo" || unit === "y")
      throw invalidArgument(`a window of ${JSON.stringify(length)} needs a timeZone, such as "UTC" or "Europe/Berlin"`);
    return new FixedGrid(wholeMs(length), origin ?? 0);
  }
  const start = origin === undefined ? undefined : zone.toLocal(origin);
  if (unit === undefined) {
    const ms = wholeMs(length);
    if (ms > DAY)
      throw invalidArgument(
        'with a timeZone, window must be at most 24 hours, or whole days, weeks, months or years: "2d"',
      );
    return new ClockGrid(zone, ms, start ?? 0);
  }
  const count = Number(calendar![1]);
  if (!/^\d+$/.test(calendar![1]!) || count < 1 || count > maxCount(unit))
    throw invalidArgument(`with a timeZone, window must be a whole number of ${unit}, from 1 to ${maxCount(unit)}`);
  if (unit === "d") return new CalendarGrid(zone, dayCalendar(count, start ?? 0));
  if (unit === "w") return new CalendarGrid(zone, dayCalendar(7 * count, start ?? MONDAY));
  if (start !== undefined && new Date(start).getUTCDate() > 28)
    throw invalidArgument("origin of months and years must be on the 1st to the 28th of a month, by local time");
  return new CalendarGrid(zone, monthCalendar(unit === "y" ? 12 * count : count, start ?? 0));
}

function wholeMs(length: unknown): number {
  const ms = durationMs("window", length);
  if (Number.isInteger(ms) && ms >= 1 && ms <= MAX_WINDOW) return ms;
  throw invalidArgument("window must be a whole number of milliseconds, at least 1");
}
