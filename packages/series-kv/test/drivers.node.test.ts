/** The conformance suite, for the drivers of this package. */

import { memoryDatabase } from "@moonpack/series-kv";
import { driverSuite } from "@moonpack/series-kv/conformance";
import { SHARE } from "@moonpack/tools/share";
import { describe, test } from "vitest";
import { DRIVERS, ON_DISK, temporaryPaths } from "./driver-harness.ts";

const path = temporaryPaths();

describe("memory", () => {
  driverSuite(test, () => ({
    driver: memoryDatabase(),
    promises: { keeps: false, locks: false, survivesKill: false, readOnly: false },
  }));
});

// A share takes the first of them, which is the default.
describe.each(ON_DISK.slice(0, SHARE < 1 ? 1 : ON_DISK.length))("$name", ({ name, make }) => {
  driverSuite(test, () => ({ driver: make(), path: path("db"), program: { module: DRIVERS, export: name } }));
});
