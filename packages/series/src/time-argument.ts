/** Times in the arguments of calls: numbers in the store's unit, Dates, and ISO 8601 texts. */
import { types } from "node:util";
import { isoTime } from "moonpack/bytes";

/** Returns a time in milliseconds; undefined if it is not a time. A number may be infinite. `unit`: milliseconds of the store's unit. */
export function timeArgument(time: unknown, unit: number): number | undefined {
  if (typeof time === "number") return Number.isNaN(time) ? undefined : time * unit;
  if (typeof time === "string") return isoTime(time);
  // Also true for Dates of other contexts.
  if (!types.isDate(time)) return undefined;
  const milliseconds = Date.prototype.getTime.call(time);
  return Number.isNaN(milliseconds) ? undefined : milliseconds;
}
