/** Borders of windows in a time zone, by Temporal: an oracle that shares no code with the store. */
import { Temporal } from "@js-temporal/polyfill";
import type { Borders } from "./naive-windows.ts";

const MINUTE = 60_000;

/** Borders of `count` days, weeks, months or years. */
export function calendarBorders(timeZone: string, count: number, unit: "d" | "w" | "mo" | "y"): Borders {
  const origin = Temporal.PlainDate.from(unit === "w" ? "1970-01-05" : "1970-01-01");
  const dateOf = (index: number) =>
    origin.add({ [{ d: "days", w: "weeks", mo: "months", y: "years" }[unit]]: index * count } as Temporal.DurationLike);
  const startAt = (index: number) => dateOf(index).toZonedDateTime({ timeZone }).epochMilliseconds;
  const indexOf = (time: number) => {
    const date = Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(timeZone).toPlainDate();
    const { days, weeks, months, years } = origin.until(date, {
      largestUnit: ({ d: "days", w: "weeks", mo: "months", y: "years" } as const)[unit],
    });
    let index = Math.floor(({ d: days, w: weeks, mo: months, y: years }[unit] as number) / count) - 2;
    while (startAt(index + 1) <= time) index++;
    return index;
  };
  return {
    startOf: (time) => startAt(indexOf(time)),
    endOf: (start) => startAt(indexOf(start) + 1),
  };
}

/** Borders on clocks, of `minutes`: each minute is looked at. The offsets of the zone must be whole minutes. */
export function clockBorders(timeZone: string, minutes: number): Borders {
  const local = (time: number) =>
    (time + Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(timeZone).offsetNanoseconds / 1e6) / MINUTE;
  const isBorder = (time: number) => {
    const now = local(time);
    return now % minutes === 0 || Math.floor(now / minutes) !== Math.floor(local(time - MINUTE) / minutes);
  };
  return {
    startOf: (time) => {
      let start = Math.floor(time / MINUTE) * MINUTE;
      while (!isBorder(start)) start -= MINUTE;
      return start;
    },
    endOf: (start) => {
      let end = start + MINUTE;
      while (!isBorder(end)) end += MINUTE;
      return end;
    },
  };
}
