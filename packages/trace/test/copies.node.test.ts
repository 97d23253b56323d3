/** Two copies of the package in one process, and others who patch what it patches: requests go on, and carry what they should. */
import { describe, expect, test } from "vitest";
import { installedNodes } from "./harness/nodes.ts";
import { runProgram } from "./harness/programs.ts";

describe.each(await installedNodes())("Node $version", (node) => {
  test("two copies: both ids in one request, one header in outgoing ones, no layer too many", async () => {
    expect(await runProgram(node, "copies.mjs")).toEqual({
      warnings: [],
      listeners: [true, 1],
      seen: ["a b", "a b", "a b", "a b"],
      // Of `http` and of `fetch`: the id, the number of its headers, the number of traceparents. The last copy adds headers first.
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
