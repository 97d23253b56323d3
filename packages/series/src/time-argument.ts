/** Times in the arguments of calls: numbers in the store's unit, Dates, and ISO 8601 texts. */
import { types } from "node:util";
import { isoTime } from "moonpack/bytes";
import type { Zone } from "./time-zone.js";

/**
 * Returns a time in milliseconds; undefined if it is not a time. A number may be infinite. `unit`: milliseconds of the store's unit. `zone` is
 * that of texts without one; undefined: UTC.
 */
export function timeArgument(time: unknown, unit: number, zone?: Zone): number | undefined {
  if (typeof time === "number") return Number.isNaN(time) ? undefined : time * unit;
  if (typeof time === "string") {
    const ms = isoTime(time);
    return ms === undefined || zone === undefined || hasZone(time) ? ms : zone.first(ms);
  }
  // Also true for Dates of other contexts.
  if (!types.isDate(time)) return undefined;
  const milliseconds = Date.prototype.getTime.call(time);
  return Number.isNaN(milliseconds) ? undefined : milliseconds;
}

function hasZone(time: string): boolean {
  return /[T ].*(?:Z|[+-]\d\d(?::?\d\d)?)$/i.test(time);
}
