/** The largest containers: beyond them V8 ends the process, or throws errors without a code. */

import { fault } from "@moonpack/harness/caught.ts";
import { checkContainerSize, MAX_KEYS, MAX_LIST_ELEMENTS } from "moonpack/bytes";
import { expect, test } from "vitest";

test("the largest list and the largest map are allowed, one element more is not", () => {
  expect([MAX_LIST_ELEMENTS, MAX_KEYS]).toEqual([2 ** 26, 2 ** 24]);
  for (const [limit, keys] of [
    [MAX_LIST_ELEMENTS, false],
    [MAX_KEYS, true],
  ] as const) {
    checkContainerSize(limit, keys, 7);
    for (const n of [limit + 1, 2 ** 32, Infinity]) {
      expect(fault(() => checkContainerSize(n, keys, 7))).toMatchObject({ code: "ERR_LIMIT_ELEMENTS", offset: 7 });
    }
  }
});
