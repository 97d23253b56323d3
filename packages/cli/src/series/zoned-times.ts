/** Times in a time zone, for queries of windows. */
import { isoTime } from "moonpack/bytes";
import { UsageError } from "../shared/failure.js";
import { rangeOf, type TimeRange } from "./selection.js";
import { TimeZone } from "./time-zone.js";
import { durationOf, timeArgument } from "./times.js";

const MINUTE = 60_000;

/** A time range, as the command line gives it: a text is a time without a zone. */
export interface GivenRange {
  readonly from?: number | string;
  readonly to?: number | string;
}

/** Reads an option's value as {@link timeArgument}; a time without a zone stays a text. */
export function zonedTimeArgument(option: string): (text: string) => number | string {
  const read = timeArgument(option);
  return (text) => {
    const time = read(text);
    // A zone would be read twice.
    return isoTime(text) !== undefined && (!text.includes(":") || isoTime(`${text}Z`) !== undefined) ? text : time;
  };
}

/** Returns the range of a query without a time zone: texts are UTC. Throws a UsageError unless `from` is before `to`. */
export function utcRange({ from, to }: GivenRange): TimeRange {
  const utc = (time: number | string) => (typeof time === "string" ? isoTime(time)! : time);
  return rangeOf({ ...(from !== undefined && { from: utc(from) }), ...(to !== undefined && { to: utc(to) }) });
}

/** Reads the length of a window: a duration, months or years. */
export function windowArgument(text: string): string {
  if (durationOf(text) !== undefined || /^\d+(?:mo|y)$/.test(text)) return text;
  throw new UsageError(`--window must be a duration such as 30s, 5m, 1.5h, 7d, 2w, 1mo or 1y, not ${text}`);
}

/** Returns the function that writes a time as ISO 8601 in a zone, with its offset. The zone must be known. */
export function zonedText(timeZone: string): (time: number) => string {
  const zone = new TimeZone(timeZone);
  return (time) => {
    const offset = zone.offsetOf(time);
    const local = new Date(time + offset).toISOString().slice(0, -1);
    const minutes = Math.trunc(Math.abs(offset) / MINUTE);
    const two = (number: number) => String(number).padStart(2, "0");
    return `${local}${offset < 0 ? "-" : "+"}${two(Math.trunc(minutes / 60))}:${two(minutes % 60)}`;
  };
}
