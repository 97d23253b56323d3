/** Options that are texts. */
import { invalidArgument } from "moonpack/bytes";

/** A text; undefined becomes the default. */
export function textOption(name: string, value: unknown, fallback: string): string {
  if (value === undefined) return fallback;
  if (typeof value === "string") return value;
  throw invalidArgument(`${name} must be a string`);
}
