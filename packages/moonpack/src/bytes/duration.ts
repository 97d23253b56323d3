/** Durations in options: milliseconds, or a text with a unit. */
import { invalidArgument } from "./errors.js";

/** A number of milliseconds, or a text of a number and a unit: `ms`, `s`, `m`, `h`, `d` or `w`. */
export type Duration = number | `${number}${"ms" | "s" | "m" | "h" | "d" | "w"}`;

/**
 * Returns the milliseconds of a duration: `1500`, `"90s"`, `"1.5h"`. Throws `ERR_INVALID_ARGUMENT`, with the option's name, for
 * anything else.
 *
 * @example
 * durationMs("window", "5m"); // 300000
 */
export function durationMs(name: string, value: unknown): number {
  const ms = typeof value === "string" ? textMs(value) : value;
  if (typeof ms === "number" && ms >= 0 && ms < Infinity) return ms;
  throw invalidArgument(
    typeof value === "number"
      ? `${name} must be a finite number of milliseconds from 0 up, not ${value}`
      : `${name} must be milliseconds, or a text with a unit: ms, s, m, h, d or w, as in "90s"`,
  );
}

/**
 * Checks an option that is a duration of `min` to `max` milliseconds, and returns its milliseconds; undefined becomes the default.
 * Throws `ERR_INVALID_ARGUMENT` otherwise.
 *
 * @example
 * const timeout = durationOption("timeout", ownOption(given, "timeout"), 10_000, 1, 3_600_000);
 */
export function durationOption(name: string, value: unknown, fallback: number, min: number, max = Infinity): number {
  if (value === undefined) return fallback;
  const ms = durationMs(name, value);
  if (ms < min) throw invalidArgument(`${name} must be at least ${min} ms`);
  if (ms > max) throw invalidArgument(`${name} must be at most ${max} ms`);
  return ms;
}

/** Undefined if the text is not a number and a unit. */
function textMs(text: string): number | undefined {
  const parts = /^([\d.]+(?:e[+-]?\d+)?)(ms|s|m|h|d|w)$/.exec(text);
  const unit = unitMs(parts?.[2]);
  if (unit === undefined) return undefined;
  const ms = Number(parts![1]) * unit;
  // 0.07 s is 70 ms, not 70.00000000000001.
  const whole = Math.round(ms);
  return Math.abs(ms - whole) < 1e-6 ? whole : ms;
}

function unitMs(unit: string | undefined): number | undefined {
  switch (unit) {
    case "ms":
      return 1;
    case "s":
      return 1000;
    case "m":
      return 60_000;
    case "h":
      return 3_600_000;
    case "d":
      return 86_400_000;
    case "w":
      return 604_800_000;
    default:
      return undefined;
  }
}
