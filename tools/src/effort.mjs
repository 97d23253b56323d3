// How much the tests try: everything with CI=true and after `npm test -- --all`, else a share of the random cases.

/** Is everything tried? */
export const isWhole = process.env.CI === "true" || process.env.MOONPACK_ALL === "1";

/** The share of its random cases that each suite tries under vitest. */
export const VITEST_SHARE = isWhole ? 1 : 0.05;

/** The same for the portable suites, which every runtime runs again. With fewer, tests that count their cases find none. */
export const PORTABLE_SHARE = 0.05;
