/**
 * The share of its random and exhaustive cases that a test tries, from 0 to 1. It is 1, except in `npm test` without CI=true or
 * `--all` (scripts/test-parts.mjs). For tests that run in Node only.
 */
export const SHARE = Number(process.env.MOONPACK_SHARE ?? 1);

/** The share of `n` cases: at least `least`, or all in a whole run. */
export function share(n, least = 1) {
  return Math.min(n, Math.max(least, Math.floor(n * SHARE)));
}
