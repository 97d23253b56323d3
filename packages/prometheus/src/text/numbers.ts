/** Numbers of the text formats: as Go reads them, without hexadecimal digits and underscores. */
import { formatShort } from "../parse/format-number.js";

const DECIMAL = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+))(?:[eE]([+-]?\d+))?$/;
const INFINITE = /^[+-]?inf(?:inity)?$/i;
const INTEGER = /^-?\d+$/;

/** Why a text is not a number of the format. */
export type NotANumber = "syntax" | "range";

/** Returns the value of a sample; "range" beyond the range of a float64. */
export function floatOf(text: string): number | NotANumber {
  if (DECIMAL.test(text)) {
    const value = Number(text);
    return Number.isFinite(value) ? value : "range";
  }
  if (INFINITE.test(text)) return text.startsWith("-") ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return /^nan$/i.test(text) ? Number.NaN : "syntax";
}

/** Returns a timestamp of Prometheus' own format: whole milliseconds. */
export function millisecondsOf(text: string): number | NotANumber {
  return INTEGER.test(text) ? inRange(Number(text)) : "syntax";
}

/**
 * Returns the milliseconds of a timestamp in seconds. The exponent is moved before the text is read: 1.001 * 1000 would be
 * 1000.9999999999999.
 */
export function secondsOf(text: string): number | NotANumber {
  const parts = DECIMAL.exec(text);
  if (parts === null) return "syntax";
  return inRange(Number(`${parts[1]}e${Number(parts[2] ?? 0) + 3}`));
}

function inRange(ms: number): number | NotANumber {
  return Math.abs(ms) <= Number.MAX_SAFE_INTEGER ? ms : "range";
}

/** Returns the text of a value. */
export function floatText(value: number): string {
  if (Object.is(value, -0)) return "-0";
  return value === Number.POSITIVE_INFINITY ? "+Inf" : value === Number.NEGATIVE_INFINITY ? "-Inf" : String(value);
}

/**
 * Returns the value of a label `le` or `quantile` as OpenMetrics writes it, and as Prometheus 3 keeps it: `1.0` for `1`. Texts that are
 * not numbers stay as they are.
 */
export function boundText(text: string): string {
  const value = typeof text === "string" ? floatOf(text) : "syntax";
  if (typeof value === "string") return text;
  const short = formatShort(value);
  return /^-?\d+$/.test(short) ? `${short}.0` : short;
}

/** Returns milliseconds as seconds, by moving the point: the text is read back as the same number. */
export function secondsText(ms: number): string {
  const [, sign, whole, fraction = "", exponent = "0"] = /^(-?)(\d+)(?:\.(\d+))?(?:e([-+]\d+))?$/.exec(String(ms))!;
  if (exponent !== "0") return `${sign}${whole}.${fraction || "0"}e${Number(exponent) - 3}`;
  const digits = whole!.padStart(4, "0");
  const rest = (digits.slice(-3) + fraction).replace(/0+$/, "");
  return `${sign}${digits.slice(0, -3)}${rest === "" ? "" : `.${rest}`}`;
}
