/**
 * What every driver promises, as tests for drivers of yours: `@moonpack/series/conformance`. They need only a function that declares
 * a test, as all test runners have one.
 *
 * @example
 * import { test } from "node:test";
 * driverSuite(test, () => ({ driver: mine(), path: mkdtempSync(join(tmpdir(), "mine-")) }));
 */
import { BATCH_CASES } from "./conformance/batches.js";
import { CLOSE_CASES } from "./conformance/closing.js";
import { DURABILITY_CASES } from "./conformance/durability.js";
import { RANGE_CASES } from "./conformance/ranges.js";
import type { Promises, Subject } from "./conformance/subject.js";
import { VALUE_CASES } from "./conformance/values.js";

export type { Program, Promises, Subject } from "./conformance/subject.js";

/** Declares a test: `test` of vitest, of node:test and of others. */
export type DeclareTest = (name: string, run: () => Promise<void>) => unknown;

/**
 * Declares the tests of a driver. `make` is called by each of them, and returns the driver and, unless its databases are in memory, a
 * path where there is no database yet.
 */
export function driverSuite(test: DeclareTest, make: () => Subject | Promise<Subject>): void {
  for (const { name, needs, run } of [
    ...VALUE_CASES,
    ...RANGE_CASES,
    ...BATCH_CASES,
    ...CLOSE_CASES,
    ...DURABILITY_CASES,
  ]) {
    test(name, async () => {
      const subject = await make();
      try {
        if (needs.every((promise) => keeps(subject, promise))) await run(subject);
      } finally {
        await subject.clean?.();
      }
    });
  }
}

function keeps({ promises = {}, path, program }: Subject, promise: keyof Promises): boolean {
  if (promise !== "snapshots" && path === undefined) return false;
  if (promise === "survivesKill" && program === undefined) return false;
  return promises[promise] !== false;
}
