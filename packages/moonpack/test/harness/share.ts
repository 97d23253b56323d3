/**
 * How much of what they could try the suites try, from 0 to 1: all of it under vitest. Where a bundle runs them in many
 * runtimes one after the other, the bundler puts less here (scripts/test-runtimes/bundle.mjs).
 */
export const SHARE: number = 1;
