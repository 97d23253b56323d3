/**
 * The share of random and exhaustive cases that the suites try, from 0 to 1. Under vitest it is 1, except in `npm test`
 * without CI=true or `--all` (scripts/test-parts.mjs). For bundles, which run the suites in many runtimes, the bundler
 * replaces this module (tools/src/portable/bundle.mjs).
 */
export const SHARE: number = Number(import.meta.env?.MOONPACK_SHARE ?? 1);

declare global {
  interface ImportMeta {
    /** Environment variables, under vitest only. */
    readonly env?: Readonly<Record<string, string>>;
  }
}
