/** Durations in options, as in all packages of moonpack. */
import { describe, invalidArgument } from "./errors.js";

/** A number of milliseconds, or a text of a number and a unit: `ms`, `s`, `m`, `h`, `d` or `w`. */
export type Duration = number | `${number}${"ms" | "s" | "m" | "h" | "d" | "w"}`;

/** Returns the milliseconds of a duration from 1 ms up; undefined becomes the default. Throws `ERR_INVALID_ARGUMENT`. */
export function durationOption(name: string, value: unknown, fallback: number): number {
  if (value === undefined) return fallback;
  const ms = typeof value === "string" ? textMs(value) : value;
  if (typeof ms === "number" && ms >= 1 && ms < Infinity) return ms;
  throw invalidArgument(
    `${name} must be milliseconds from 1 up, or a text with a unit: ms, s, m, h, d or w, as in "90s", not ${describe(value)}`,
  );
}

/** Returns undefined if the text is not a number and a unit. */
function textMs(text: string): number | undefined {
  const [, count, unit] = /^([\d.]+(?:e[+-]?\d+)?)(ms|s|m|h|d|w)$/.exec(text) ?? [];
  switch (unit) {
    case "ms":
      return Number(count);
    case "s":
      return Number(count) * 1000;
    case "m":
      return Number(count) * 60_000;
    case "h":
      return Number(count) * 3_600_000;
    case "d":
      return Number(count) * 86_400_000;
    case "w":
      return Number(count) * 604_800_000;
    default:
      return undefined;
  }
}
