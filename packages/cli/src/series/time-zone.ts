/** Times on the clocks of a time zone. */
import { UsageError } from "../shared/failure.js";

const HOUR = 3_600_000;
const MINUTE = 60_000;
const DAY = 24 * HOUR;
/** Since 1973, zones have changed their offsets at multiples of a quarter of an hour. */
const STEP = 15 * MINUTE;
/** Offsets that are remembered: a formatter takes a microsecond for each. */
const MOST_KNOWN = 100_000;
const OFFSET = /^([+-])(\d\d)(?::?(\d\d))?$/;

/** A time zone by its name in the IANA database, or by an offset such as `+02`. */
export class TimeZone {
  readonly name: string;
  /** Returns the offset from UTC at a time, in milliseconds. */
  readonly offsetOf: (time: number) => number;

  /** Throws a RangeError for an unknown name. */
  constructor(name: string) {
    this.name = name;
    this.offsetOf = fixedOffset(name) ?? offsets(name);
  }

  /**
   * Returns the times at which clocks show a local time, which is given as if it were UTC: two where clocks are set back, none where they
   * are set forward. Ascending.
   */
  timesOf(local: number): readonly number[] {
    const times = [local - this.offsetOf(local - DAY), local - this.offsetOf(local + DAY)];
    const found = times.filter((time) => time + this.offsetOf(time) === local);
    return [...new Set(found)].sort((a, b) => a - b);
  }
}

function fixedOffset(name: string): (() => number) | undefined {
  const [, sign, hours, minutes = "0"] = OFFSET.exec(name) ?? [];
  if (sign === undefined || Number(hours) > 23 || Number(minutes) > 59) return undefined;
  const offset = (sign === "-" ? -1 : 1) * (Number(hours) * HOUR + Number(minutes) * MINUTE);
  return () => offset;
}

/** Returns the offset of a zone at a time, in milliseconds. */
function offsets(timeZone: string): (time: number) => number {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    calendar: "iso8601",
    numberingSystem: "latn",
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  const known = new Map<number, number>();
  return (time) => {
    const step = Math.floor(time / STEP) * STEP;
    const found = known.get(step);
    if (found !== undefined) return found;
    const parts = new Map(format.formatToParts(step).map(({ type, value }) => [type as string, Number(value)]));
    const [year, month, day, hour, minute, second] = ["year", "month", "day", "hour", "minute", "second"].map(
      (type) => parts.get(type)!,
    );
    const offset = Date.UTC(year!, month! - 1, day!, hour!, minute!, second!) - step;
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(step, offset);
    return offset;
  };
}

/** Reads an option's value that must be a time zone. */
export function timeZoneArgument(option: string): (text: string) => TimeZone {
  return (text) => {
    try {
      return new TimeZone(text);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw new UsageError(`${option} must be a time zone such as Europe/Berlin, UTC or +02, not ${text}`);
    }
  };
}
