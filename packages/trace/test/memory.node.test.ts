/** Requests leave nothing behind: a million of them in a whole run, else a share. */
import { SHARE } from "@moonpack/tools/share";
import { describe, expect, test } from "vitest";
import { installedNodes } from "./harness/nodes.ts";
import { runProgram } from "./harness/programs.ts";

const REQUESTS = SHARE === 1 ? 1_000_000 : 16_000;
/** 128 bytes for each request of a share, and half a MB for code that V8 compiles in this time. */
const ALLOWED = 2 ** 19 + (SHARE === 1 ? 2 ** 20 : 128 * REQUESTS * 0.75);

describe.each(await installedNodes())("Node $version", (node) => {
  test("the heap stays flat", async () => {
    const { answered, heaps } = (await runProgram(node, "memory.mjs", [String(REQUESTS)])) as {
      answered: number;
      heaps: number[];
    };
    expect(answered).toBe(REQUESTS);
    expect(heaps[3]! - heaps[0]!).toBeLessThan(ALLOWED);
  }, 600_000);

  test("also with listeners on a shared emitter, each for another event", async () => {
    const { answered, left, grown } = (await runProgram(node, "shared-emitter.mjs")) as Record<string, number>;
    expect([answered, left]).toEqual([25_000, 0]);
    expect(grown).toBeLessThan(2 ** 20); // 3 MB if something stays of each event
  });
});
