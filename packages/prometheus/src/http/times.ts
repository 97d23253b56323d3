/** Times and durations of requests: seconds, or RFC 3339 and Prometheus' durations. */
import { isoTime } from "moonpack/bytes";

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;
const DURATION = /^(?:(\d+)y)?(?:(\d+)w)?(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?(?:(\d+)ms)?$/;
const UNITS = [31_536_000_000, 604_800_000, 86_400_000, 3_600_000, 60_000, 1000, 1];
/** The first and the last time of Prometheus' clients, which stand for no bound. */
const FIRST = "-292273086-05-16T16:47:06Z";
const LAST = "292277025-08-18T07:12:54.999999999Z";
/** The last time of a Date, in milliseconds. */
const MAX_MS = 8.64e15;

/** Returns the milliseconds of a time; undefined if it is not one. */
export function parseTime(text: string): number | undefined {
  if (NUMBER.test(text)) {
    const seconds = Number(text);
    const whole = Math.trunc(seconds);
    // Rounded by themselves, the milliseconds are exact.
    const ms = whole * 1000 + Math.round((seconds - whole) * 1000);
    return Math.abs(ms) <= MAX_MS ? ms : undefined;
  }
  if (text === FIRST) return -MAX_MS;
  if (text === LAST) return MAX_MS;
  return RFC_3339.test(text) ? isoTime(text) : undefined;
}

/** Returns the milliseconds of a duration, perhaps with a fraction; undefined if it is not one. */
export function parseDuration(text: string): number | undefined {
  let ms: number;
  if (NUMBER.test(text)) ms = Math.round(Number(text) * 1e9) / 1e6;
  else {
    const parts = DURATION.exec(text);
    if (parts === null || text === "") return undefined;
    ms = UNITS.reduce((sum, unit, i) => sum + unit * Number(parts[i + 1] ?? 0), 0);
  }
  return Math.abs(ms) <= MAX_MS ? ms : undefined;
}
