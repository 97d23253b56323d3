/**
 * The conformance tests for drivers: `@moonpack/series-kv/conformance`. They need only a function that declares a test, which all test
 * runners have.
 *
 * @example
 * import { test } from "node:test";
 * driverSuite(test, () => ({ driver: mine(), path: mkdtempSync(join(tmpdir(), "mine-")) }));
 */
import { invalidArgument } from "moonpack/bytes";
import { BATCH_CASES } from "./conformance/batches.js";
import { CLOSE_CASES } from "./conformance/closing.js";
import { DURABILITY_CASES } from "./conformance/durability.js";
import { RANGE_CASES } from "./conformance/ranges.js";
import type { Promises, Subject } from "./conformance/subject.js";
import { VALUE_CASES } from "./conformance/values.js";

export type { Program, Promises, Subject } from "./conformance/subject.js";

/** Declares a test: `test` of vitest, node:test and other runners. */
export type DeclareTest = (name: string, run: () => Promise<void>) => unknown;

/**
 * Declares the tests of a driver. Each test calls `make`, which returns the driver and an unused path, unless its databases are in
 * memory. Throws `ERR_INVALID_ARGUMENT` unless both are functions.
 */
export function driverSuite(test: DeclareTest, make: () => Subject | Promise<Subject>): void {
  if (typeof test !== "function") throw invalidArgument("test must be a function that declares a test");
  if (typeof make !== "function") throw invalidArgument("make must be a function that returns a driver and a path");
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
