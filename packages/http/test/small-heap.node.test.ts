/** Bodies of 1 MiB that could take a gigabyte, or a minute, in new processes. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { pck, bodies as webBodies } from "@moonpack/http";
import { map, schema, U8, U32 } from "@moonpack/pck";
import { runtimeFor } from "@moonpack/tools/runtimes";
import { encode } from "moonpack";
import { expect, test } from "vitest";
import { caught } from "./harness/caught.ts";

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

/** V8's hash of an integer. */
function hashOf(key: number): number {
  let hash = ~key + (key << 15);
  hash ^= hash >>> 12;
  hash += hash << 2;
  hash ^= hash >>> 4;
  hash = Math.imul(hash, 2057);
  return hash ^ (hash >>> 16);
}

test("integer keys of one bucket are refused with status 413, in JSON and MessagePack", async () => {
  const keys: number[] = [];
  for (let i = 1; keys.length < 3000; i++) if ((hashOf(i) & 127) === 7) keys.push(i);
  const format = pck(schema("Counts", map("counts", U32, U8)));
  const http = webBodies();
  const bodies: [string, Uint8Array<ArrayBuffer> | string][] = [
    ["application/json", JSON.stringify({ counts: keys.map((key) => [key, 0]) })],
    ["application/vnd.msgpack", encode({ counts: new Map(keys.map((key) => [key, 0])) }) as Uint8Array<ArrayBuffer>],
  ];
  for (const [type, body] of bodies) {
    const request = new Request("http://localhost", { method: "POST", body, headers: { "content-type": type } });
    expect([type, await caught(http.read(request, { pck: format }))]).toMatchObject([
      type,
      { status: 413, code: "ERR_LIMIT_ELEMENTS" },
    ]);
  }
});
