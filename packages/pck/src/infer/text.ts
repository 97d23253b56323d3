/** The type of text: an enumeration when the values are few and recur, otherwise utf8. */
import { isWellFormed } from "moonpack/bytes";
import type { Leaf } from "./numbers.js";

/** Most values of an enumeration. */
const MAX_NAMES = 32;
/** Longest value of an enumeration, in UTF-16 units. */
const LONGEST_NAME = 64;
/** How often an enumeration's values must come on average. */
const RECURRENCE = 4;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const DATE = /^\d{4}-(?:0\d|1[0-2])-(?:[0-2]\d|3[01])$/;
const DATE_TIME = /^\d{4}-(?:0\d|1[0-2])-(?:[0-2]\d|3[01])[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?$/;
const NUMERIC = /^-?\d+(?:\.\d+)?$/;

/** Patterns that text may always match. Its type stays utf8, so that later values are accepted; the comment names the pattern. */
const PATTERNS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [UUID, "a UUID"],
  [DATE, "a date (YYYY-MM-DD)"],
  [DATE_TIME, "a date and time (ISO 8601)"],
  [NUMERIC, "a number as text"],
];

/** Returns the type of text, or the reason why it has none. */
export function textType(values: readonly string[]): Leaf | string {
  if (!values.every(isWellFormed)) return "text with a lone surrogate, which UTF-8 cannot hold";
  const pattern = PATTERNS.find(([expression]) => values.every((value) => expression.test(value)));
  if (pattern !== undefined) return { type: "utf8", doc: `Always ${pattern[1]} in the samples.` };
  const names = enumerationOf(values);
  return { type: names === undefined ? "utf8" : { enumeration: names }, doc: "" };
}

/** Returns the names of an enumeration, in the order in which they come first. */
function enumerationOf(values: readonly string[]): string[] | undefined {
  const counts = new Map<string, number>();
  for (const value of values) {
    counts.set(value, (counts.get(value) ?? 0) + 1);
    if (counts.size > MAX_NAMES || value === "" || value.length > LONGEST_NAME) return undefined;
  }
  // One value alone says nothing about others.
  if (counts.size < 2 || values.length < RECURRENCE * counts.size) return undefined;
  for (const count of counts.values()) if (count < 2) return undefined;
  return [...counts.keys()];
}

/** True for a key that names an entry, not a property: a number, a UUID, a date. */
export function isEntryKey(key: string): boolean {
  return NUMERIC.test(key) || UUID.test(key) || DATE.test(key) || DATE_TIME.test(key);
}
