/** Bodies of 1 MiB that could take a gigabyte, or a minute, in processes of their own. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { runtimeFor } from "@moonpack/tools/runtimes";
import { expect, test } from "vitest";

const run = promisify(execFile);
const program = (name: string) => new URL(`programs/${name}`, import.meta.url).pathname;

test.for([
  "node-20",
  "node-22",
  "node-24",
  "node-26",
] as const)("%s: absent fields, and keys that are array indices, fit into 200 MB", async (name, test) => {
  const { executable } = await runtimeFor(test, name);
  const { stdout } = await run(executable, ["--max-old-space-size=200", program("small-heap.mjs")]);
  expect(JSON.parse(stdout)).toEqual({
    "absent fields": [413, "ERR_LIMIT_ELEMENTS"],
    "absent fields in JSON": [413, "ERR_LIMIT_ELEMENTS"],
    "absent fields in an answer": ["EncodeError", "ERR_LIMIT_ELEMENTS"],
    "keys that are array indices": [200, 95_000],
  });
});

test("Deno: keys that are array indices with equal hashes take the time of others", async (test) => {
  const { executable } = await runtimeFor(test, "deno");
  const { stdout } = await run(executable, ["run", "--allow-all", "--node-modules-dir=manual", program("keys.mjs")], {
    cwd: import.meta.dirname,
    timeout: 60_000,
  });
  const [chosen, others] = JSON.parse(stdout) as [number, number];
  // In a Set of the keys themselves: 20 s.
  expect(chosen).toBeLessThan(2000 + 10 * others);
});
