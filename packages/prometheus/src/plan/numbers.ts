/** Arithmetic as in Go, where it differs from JavaScript. */

/** Returns `base` to the power `exponent`: 1 ^ NaN and (-1) ^ Inf are 1. */
export function power(base: number, exponent: number): number {
  if (base === 1 || (base === -1 && Math.abs(exponent) === Number.POSITIVE_INFINITY)) return 1;
  return base ** exponent;
}

/** Returns the greater number; +Inf is greater than NaN. */
export function maxOf(a: number, b: number): number {
  if (a === Number.POSITIVE_INFINITY || b === Number.POSITIVE_INFINITY) return Number.POSITIVE_INFINITY;
  return Math.max(a, b);
}

/** Returns the smaller number; -Inf is smaller than NaN. */
export function minOf(a: number, b: number): number {
  if (a === Number.NEGATIVE_INFINITY || b === Number.NEGATIVE_INFINITY) return Number.NEGATIVE_INFINITY;
  return Math.min(a, b);
}
