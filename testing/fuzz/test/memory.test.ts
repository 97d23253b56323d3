/** The limit on memory outside V8's heap, in a separate process. */
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";

const MODULE = new URL("../src/memory.mjs", import.meta.url);
const PROGRAM = `
  import { withinMemory } from "${MODULE.href}";
  // A new process begins with the peak of the one that started it, so this one fills as much before the first case.
  const begun = process.resourceUsage().maxRSS * 1024 - process.memoryUsage.rss();
  const filled = Buffer.alloc(Math.max(begun, 0), 1);
  const check = withinMemory((bytes) => Buffer.alloc(bytes[0] * 2 ** 20, 1).length + filled.length > 0);
  const attempt = (megabytes) => {
    try { return check(Uint8Array.of(megabytes)); } catch (error) { return error.message; }
  };
  console.log(JSON.stringify([attempt(1), attempt(64), attempt(255)]));`;

test("a case that takes much is a failure", () => {
  const printed = execFileSync(process.execPath, ["--input-type=module", "-e", PROGRAM], { encoding: "utf8" });
  const [small, middle, large] = JSON.parse(printed) as unknown[];
  expect([small, middle]).toEqual([true, true]);
  expect(large).toMatch(/^a case of 1 bytes took \d{3} MB of memory$/);
});
