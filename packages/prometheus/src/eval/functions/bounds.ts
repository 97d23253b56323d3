/** The texts of numbers in the labels `le` and `quantile`. */
import { formatShort } from "../../parse/format-number.js";

/** Returns the number in a text, as Go reads it; undefined for another text, and beyond the range of a float64. */
export function parseBound(text: string): number | undefined {
  if (/^[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?$/.test(text)) {
    const value = Number(text);
    return Number.isFinite(value) ? value : undefined;
  }
  if (/^[-+]?inf(?:inity)?$/i.test(text)) return text[0] === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return /^nan$/i.test(text) ? Number.NaN : undefined;
}

/** Returns a number in OpenMetrics' form: with a fraction or an exponent. */
export function formatBound(value: number): string {
  const text = formatShort(Object.is(value, -0) ? 0 : value);
  return !Number.isFinite(value) || /[e.]/.test(text) ? text : `${text}.0`;
}
