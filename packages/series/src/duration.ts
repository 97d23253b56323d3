/** Durations of options: milliseconds, or a text with a unit (docs/series.md, "Open"). */
import { invalidArgument } from "moonpack/bytes";

/** Milliseconds of a duration: `1500`, `"90s"`, `"1.5h"`. Throws `ERR_INVALID_ARGUMENT`, with `name` as the option's name. */
export function durationMs(value: unknown, name: string): number {
  const ms = typeof value === "string" ? textMs(value) : value;
  if (typeof ms === "number" && ms >= 0 && ms < Infinity) return ms;
  throw invalidArgument(
    typeof value === "number"
      ? `${name} must be a finite number of milliseconds from 0 up, not ${value}`
      : `${name} must be milliseconds, or a text with a unit: ms, s, m, h, d or w, as in "90s"`,
  );
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
