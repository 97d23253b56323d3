/** A polluted Object.prototype changes nothing. Runs in a separate process. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

test("names of options and of results on Object.prototype", async () => {
  const program = fileURLToPath(new URL("programs/polluted.mjs", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [program], { timeout: 60_000 });
  expect(JSON.parse(stdout)).toEqual([
    "82a16293cb3ff800000000000002a474657874a16181a163c0",
    ["b", "a"],
    [1.5, 2, "text"],
    null,
    3,
    1,
    1024,
    true,
    ["a", 64],
    [
      ["keys", { type: 1 }],
      ["size", 2],
    ],
    7,
  ]);
});
