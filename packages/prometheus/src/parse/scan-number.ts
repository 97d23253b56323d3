/** Numbers and durations in a query: where they end, and their values. */
import { syntaxError } from "./syntax-error.js";

/** Decimal digits, a fraction and an exponent, or hexadecimal digits; single underscores separate digits. */
const NUMBER =
  /0[xX]_?[0-9a-fA-F]+(?:_[0-9a-fA-F]+)*|(?:[0-9]+(?:_[0-9]+)*(?:\.(?:[0-9]+(?:_[0-9]+)*)?)?|\.[0-9]+(?:_[0-9]+)*)(?:[eE][-+]?[0-9]+(?:_[0-9]+)*)?/y;
const DURATION = /(?:[0-9]+(?:ms|[smhdwy]))+/y;
const PART = /([0-9]+)(ms|[smhdwy])/g;
/** A character that may not follow a number or a duration. */
const CONTINUES = /[0-9A-Za-z_.]/;
/** The units in milliseconds, from the largest one: the order in which they must be written. */
const UNITS: readonly (readonly [string, number])[] = [
  ["y", 31_536_000_000],
  ["w", 604_800_000],
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1000],
  ["ms", 1],
];
/** The longest duration: 2^63 nanoseconds. */
const MAX_MS = 2 ** 63 / 1e6;

/** Scans the number or the duration at `start`. Throws `ERR_PROMQL_SYNTAX`. */
export function scanNumber(query: string, start: number): { kind: "number" | "duration"; text: string } {
  const number = textAt(NUMBER, query, start);
  if (number !== undefined && !continues(query, start + number.length)) return { kind: "number", text: number };
  const duration = textAt(DURATION, query, start);
  if (duration !== undefined && !continues(query, start + duration.length)) return { kind: "duration", text: duration };
  let end = start + 1;
  while (continues(query, end)) end++;
  throw syntaxError(query, start, `bad number or duration syntax: "${query.slice(start, end)}"`);
}

function textAt(pattern: RegExp, query: string, start: number): string | undefined {
  pattern.lastIndex = start;
  return pattern.exec(query)?.[0];
}

function continues(query: string, at: number): boolean {
  return at < query.length && CONTINUES.test(query[at]!);
}

/** Returns the value of a scanned number. Throws `ERR_PROMQL_SYNTAX` beyond the range of a float64. */
export function numberValue(query: string, start: number, text: string): number {
  if (/^[a-z]/i.test(text)) return text.length === 3 && /^inf$/i.test(text) ? Number.POSITIVE_INFINITY : Number.NaN;
  const digits = text.replaceAll("_", "");
  if (/^0[xX]/.test(digits)) {
    const value = Number(digits);
    if (value < 2 ** 63) return value;
    throw syntaxError(query, start, `error parsing number: "${text}": value out of range`);
  }
  // As in Go, 017 is octal and 018 is decimal.
  const octal = /^0[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : Number.NaN;
  if (octal < 2 ** 63) return octal;
  const value = Number(digits);
  if (value === Number.POSITIVE_INFINITY)
    throw syntaxError(query, start, `error parsing number: "${text}": value out of range`);
  return value;
}

/** Returns the seconds of a scanned duration. Throws `ERR_PROMQL_SYNTAX` for units that are not in order. */
export function durationSeconds(query: string, start: number, text: string): number {
  let ms = 0;
  let next = 0;
  for (const [, count, unit] of text.matchAll(PART)) {
    const index = UNITS.findIndex(([name]) => name === unit);
    if (index < next) throw syntaxError(query, start, `not a valid duration string: "${text}"`);
    next = index + 1;
    ms += Number(count) * UNITS[index]![1];
    if (ms > MAX_MS) throw syntaxError(query, start, "duration out of range");
  }
  return Math.floor(ms / 1000) + (ms % 1000) / 1000;
}
