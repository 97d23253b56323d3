/** The warnings of the process during the tests of a file or a `describe`. */
import { afterAll, afterEach, beforeAll } from "vitest";

/** A warning, with the code that ours have. */
export type Warning = Error & { readonly code?: string };

/** Collects warnings from the first to the last test here. Each test begins with none. */
export function collectWarnings(): Warning[] {
  const warnings: Warning[] = [];
  const collect = (warning: Error): void => void warnings.push(warning);
  beforeAll(() => {
    process.on("warning", collect);
  });
  afterEach(() => {
    warnings.length = 0;
  });
  afterAll(() => {
    process.off("warning", collect);
  });
  return warnings;
}
