/** A polluted Object.prototype changes nothing: in a new process. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

test("a polluted Object.prototype changes nothing", async () => {
  const program = fileURLToPath(new URL("programs/polluted.mjs", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [program], { timeout: 60_000 });
  expect(JSON.parse(stdout)).toEqual([
    ["93", "02", "a1"],
    ["x", 1],
  ]);
});
