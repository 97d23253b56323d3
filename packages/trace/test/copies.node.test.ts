/** Two copies of the package in one process: `import` and `require`, the same version in two folders, two versions. */
import { describe, expect, test } from "vitest";
import { installedNodes } from "./harness/nodes.ts";
import { runProgram } from "./harness/programs.ts";

const SAME_VERSION = ["require", "folder"];

describe.each(await installedNodes())("Node $version", (node) => {
  test.each(SAME_VERSION)("of one version, by %s: requests go on, and are patched once", async (kind) => {
    expect(await runProgram(node, "copies.mjs", [kind])).toEqual({
      warnings: [],
      listeners: [true, 1],
      seen: ["b b", "b b", "b b", "b b"],
      // Of `http` and of `fetch`: the id, the number of its headers, the number of traceparents.
      both: ["b 1 1", "b 1 1"],
      layers: [1],
      second: ["b 1 1", "b 1 1"],
      again: ["b 1 1", "b 1 1"],
      first: ["b 1 1", "b 1 1"],
      none: ["- 0 0", "- 0 0"],
      left: 0,
      wrapped: "b 1 1",
      wrappedStopped: "- 0 0",
      wrappedAgain: "b 1 1",
    });
  });

  test.each(
    SAME_VERSION.flatMap((kind) => [[kind], [kind, "back"]]),
  )("of one version, by %s %s: one state", async (...args) => {
    const results = (await runProgram(node, "one-state.mjs", args)) as Record<string, boolean>;
    expect(Object.entries(results).filter(([, isTrue]) => !isTrue)).toEqual([]);
    expect(Object.keys(results)).toHaveLength(19);
  });

  test("of two versions whose state differs: both ids in one request, one header in outgoing ones, no layer too many", async () => {
    expect(await runProgram(node, "copies.mjs", ["other version"])).toEqual({
      warnings: [],
      listeners: [true, 1],
      seen: ["a b", "a b", "a b", "a b"],
      // The last copy adds headers first.
      both: ["b 1 1", "b 1 1"],
      layers: [2],
      second: ["b 1 1", "b 1 1"],
      again: ["a 1 1", "b 1 1"],
      first: ["a 1 1", "a 1 1"],
      none: ["- 0 0", "- 0 0"],
      left: 1, // one that was below the other's when it was stopped, and adds nothing
      wrapped: "a 1 1",
      wrappedStopped: "- 0 0",
      wrappedAgain: "a 1 1",
    });
  });
});
