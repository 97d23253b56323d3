/** A polluted Object.prototype changes nothing. Runs in a separate process. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

test("names of options and of results on Object.prototype", async () => {
  const program = fileURLToPath(new URL("programs/polluted.mjs", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [program], { timeout: 60_000 });
  expect(JSON.parse(stdout)).toEqual([
    { a: 1 },
    [["set", "k", "c0"]],
    [["xadd", "s", "*", "f", "c0"]],
    [["xreadBuffer", "STREAMS", "s", "0"]],
    "ERR_REDIS_TEXT",
    { n: 1 },
  ]);
});
