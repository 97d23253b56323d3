/** Times as ISO 8601 texts, in arguments of calls, in files and on the command line. */

const ISO =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?(?:[Zz]|([+-])(\d\d)(?::?(\d\d))?)?)?$/;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/**
 * Returns the milliseconds since 1970 of an ISO 8601 text, or undefined for any other text. Without a zone it is UTC. Fractions of a
 * millisecond are dropped. `Date.parse` would accept February 30, and read some texts as local time.
 *
 * @example
 * isoTime("2026-01-31T13:00+01:00"); // 1769860800000
 */
export function isoTime(text: string): number | undefined {
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
  const zone = Number(zoneHour) * HOUR_MS + Number(zoneMinute) * MINUTE_MS;
  return date.getTime() - (sign === "-" ? -zone : zone);
}
