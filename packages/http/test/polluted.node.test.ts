/** A polluted Object.prototype changes nothing: in a new process. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

test("names of options, of members of problems and of headers on Object.prototype", async () => {
  const program = fileURLToPath(new URL("programs/polluted.mjs", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [program], { timeout: 60_000 });
  expect(JSON.parse(stdout)).toEqual([
    { a: 1 },
    { x: 1 },
    1,
    2,
    [415, "ERR_HTTP_TYPE", null, null],
    [500, "ERR_HTTP_STATUS", null, null],
    '{"b":[2]}',
    "application/vnd.msgpack",
  ]);
});
