/** Times in the arguments of calls: numbers in the store's unit, Dates, and ISO 8601 texts. */
import { types } from "node:util";

const ISO =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?(?:[Zz]|([+-])(\d\d)(?::?(\d\d))?)?)?$/;
const MINUTE = 60_000;
const HOUR = 3_600_000;

/** Returns a time in milliseconds; undefined if it is not a time. A number may be infinite. `unit`: milliseconds of the store's unit. */
export function timeArgument(time: unknown, unit: number): number | undefined {
  if (typeof time === "number") return Number.isNaN(time) ? undefined : time * unit;
  if (typeof time === "string") return isoTime(time);
  // Also true for Dates of other contexts.
  if (!types.isDate(time)) return undefined;
  const milliseconds = Date.prototype.getTime.call(time);
  return Number.isNaN(milliseconds) ? undefined : milliseconds;
}

/** Without a zone it is UTC. Fractions of a millisecond are dropped. `Date.parse` would accept February 30, and read some texts as local time. */
function isoTime(text: string): number | undefined {
  const found = ISO.exec(text);
  if (found === null) return undefined;
  const [year, month, day, hour, minute, second] = [1, 2, 3, 4, 5, 6].map((i) => Number(found[i] ?? 0));
  const [fraction = "", sign, zoneHour = "0", zoneMinute = "0"] = found.slice(7);
  const millisecond = Number(fraction.slice(0, 3).padEnd(3, "0"));
  const date = new Date(Date.UTC(year!, month! - 1, day!, hour!, minute!, second!, millisecond));
  // Date.UTC would read the years 0 to 99 as 1900 to 1999.
  date.setUTCFullYear(year!, month! - 1, day!);
  const isReal = date.getUTCMonth() === month! - 1 && date.getUTCDate() === day! && hour! < 24 && minute! < 60;
  if (!isReal || second! > 59 || Number(zoneHour) > 23 || Number(zoneMinute) > 59) return undefined;
  const zone = Number(zoneHour) * HOUR + Number(zoneMinute) * MINUTE;
  return date.getTime() - (sign === "-" ? -zone : zone);
}
