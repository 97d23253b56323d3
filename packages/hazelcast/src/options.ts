/** Options that are strings. */
import { invalidArgument } from "moonpack/bytes";

/** Returns the string, or the default for undefined. Throws `ERR_INVALID_ARGUMENT` for anything else. */
export function textOption(name: string, value: unknown, fallback: string): string {
  if (value === undefined) return fallback;
  if (typeof value === "string") return value;
  throw invalidArgument(`${name} must be a string`);
}
