/** The example in examples/tcp behaves as its page describes. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";

const example = (file: string) => fileURLToPath(new URL(`../../../../examples/tcp/${file}`, import.meta.url));
const children: ChildProcess[] = [];

function run(file: string, ...args: string[]) {
  const child = spawn(process.execPath, [example(file), ...args], { stdio: ["ignore", "pipe", "pipe"] });
  children.push(child);
  const output = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output.stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    output.stderr += text;
  });
  return { child, output };
}

afterEach(() => {
  for (const child of children.splice(0)) child.kill();
});

for (const flags of [[], ["--no-pipelining"]])
  test(`server and client ${flags.join(" ")}`, async () => {
    const server = run("server.js", "0", ...flags);
    while (!server.output.stdout.includes("\n")) await once(server.child.stdout!, "data");
    const port = /\d+/.exec(server.output.stdout)![0];
    const client = run("client.js", port, "--calls", "5000", ...flags);
    const [status] = (await once(client.child, "close")) as [number];
    expect(client.output.stdout.split("\n")).toEqual([
      "get: { at: 1970-01-01T00:00:00.000Z, raw: Uint8Array(3) [ 0, 0, 0 ] }",
      "error: no method nothing",
      "error: ERR_UNSUPPORTED_TYPE",
      "sum: 15000",
      "",
    ]);
    expect(status).toBe(0);
    const each = Number(/([\d.]+) messages a write/.exec(client.output.stderr)![1]);
    if (flags.length > 0) expect(each).toBe(1);
    else expect(each).toBeGreaterThan(10);
    expect(server.output.stderr).toBe("");
  });
