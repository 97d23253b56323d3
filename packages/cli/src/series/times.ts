/** Times on the command line and in imported files. All results are milliseconds since 1970. */
import { durationMs, isoTime } from "moonpack/bytes";
import { UsageError } from "../shared/failure.js";
import { quoted, RecordError } from "./record-error.js";

/** A unit of timestamps in files. */
export type TimeUnit = "ns" | "us" | "ms" | "s";

/** The units, in the order of the help. */
export const TIME_UNITS: readonly TimeUnit[] = ["ns", "us", "ms", "s"];

/** Nanoseconds of each unit. */
export const UNIT_NS: Readonly<Record<TimeUnit, number>> = { ns: 1, us: 1e3, ms: 1e6, s: 1e9 };

/** Keys of the store count weeks in 16 bits. */
const END_OF_TIME = 65_536 * 7 * 24 * 3_600_000;
const NUMBER = /^(\d+)(?:\.(\d*))?$/;

/**
 * The timestamp of a record: a number in `unit`, or an ISO 8601 text. Fractions of a millisecond are dropped. `column` is for
 * errors.
 */
export function timestampOf(text: string, unit: TimeUnit, column?: number): number {
  const [, whole, fraction = ""] = NUMBER.exec(text) ?? [];
  const time = whole === undefined ? isoTime(text) : inMilliseconds(whole, fraction, unit);
  if (time === undefined) throw new RecordError("ERR_OUT_OF_RANGE", noTime(text, unit), column);
  return checkedTime(time, unit, column);
}

/** The same for a number: the usual case of a whole number of milliseconds is fast. */
export function timestampOfNumber(value: number, unit: TimeUnit, column?: number): number {
  if (unit === "ms" && Number.isInteger(value)) return checkedTime(value, unit, column);
  return timestampOf(Number.isInteger(value) ? BigInt(value).toString() : String(value), unit, column);
}

/** Returns a time that the store can hold. `unit` is that of a number, for the error. */
export function checkedTime(time: number, unit: TimeUnit | undefined, column: number | undefined): number {
  if (time >= 0 && time < END_OF_TIME) return time;
  const hint = unit === undefined ? "" : `: is its unit ${unit}? See --unit`;
  const what = time < 0 ? "is before 1970" : `is after the year 3225${hint}`;
  throw new RecordError("ERR_OUT_OF_RANGE", `the timestamp ${what}`, column);
}

function noTime(text: string, unit: TimeUnit): string {
  if (text === "") return "the timestamp is empty";
  if (text.startsWith("-")) return `the timestamp ${quoted(text)} is before 1970`;
  return `the timestamp ${quoted(text)} is neither a number (of ${unit}) nor an ISO 8601 time`;
}

/** Cuts and shifts digits: a float of nanoseconds since 1970 would not be exact. */
function inMilliseconds(whole: string, fraction: string, unit: TimeUnit): number {
  if (unit === "s") return Number(whole + fraction.slice(0, 3).padEnd(3, "0"));
  const cut = unit === "ns" ? 6 : unit === "us" ? 3 : 0;
  return Number(whole.slice(0, Math.max(0, whole.length - cut)));
}

/**
 * The milliseconds of `90s` or `1.5h`, which the options of the packages accept too; undefined for any other text, and for less than
 * `least` ms.
 */
export function durationOf(text: string, least = 1): number | undefined {
  try {
    const ms = Math.round(durationMs("duration", text));
    return Number.isSafeInteger(ms) && ms >= least ? ms : undefined;
  } catch {
    return undefined;
  }
}

/** Reads an option's value that must be a duration, in milliseconds. */
export function durationArgument(option: string): (text: string) => number {
  return (text) => {
    const duration = durationOf(text);
    if (duration !== undefined) return duration;
    throw new UsageError(`${option} must be a duration such as 30s, 5m, 1.5h, 7d or 2w, not ${text}`);
  };
}

/** Numbers below it are Unix seconds (up to the year 5138), others are milliseconds (from 1973 on). */
const SECONDS_END = 1e11;

/** The last time that a Date can hold. */
const LAST_DATE = 8.64e15;

/** Reads an option's value that must be a time: ISO 8601, Unix, `now`, or relative to now. `now` is the clock. */
export function timeArgument(option: string, now: () => number = Date.now): (text: string) => number {
  return (text) => {
    const [, sign, ago] = /^(?:now)?([+-])(.+)$/.exec(text) ?? [];
    const duration = ago === undefined ? undefined : durationOf(ago);
    const time = duration !== undefined ? now() + (sign === "-" ? -duration : duration) : absoluteTime(text, now);
    // Timestamps start at 0: an earlier time means the beginning.
    if (time !== undefined && time <= LAST_DATE) return Math.max(0, time);
    throw new UsageError(
      `${option} must be a time such as 2026-01-31T12:00:00Z, 1769860800, now or -1h (s, m, h, d, w), not ${text}`,
    );
  };
}

function absoluteTime(text: string, now: () => number): number | undefined {
  if (text === "now") return now();
  if (!/^\d{1,16}(?:\.\d+)?$/.test(text)) return isoTime(text);
  const number = Number(text);
  return Math.trunc(number < SECONDS_END ? number * 1000 : number);
}

/** A time as ISO 8601, in UTC. */
export function isoText(time: number): string {
  return new Date(time).toISOString();
}

/** The forms of {@link timeArgument}, for help texts. */
export const TIMES_HELP = `A TIME is ISO 8601 (2026-01-31, 2026-01-31T12:00Z; without a zone it is UTC), a
Unix time (below 100,000,000,000 in seconds, else in milliseconds), now, or
relative to now: -90s, -15m, -1h, -7d, -2w. --from is inclusive, --to is not.`;
