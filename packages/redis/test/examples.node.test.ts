/** The examples of docs/redis.md and of the README, and the project in examples/queue-bullmq, unchanged. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { examplesFor, promised } from "@moonpack/tools/pages";
import { share } from "@moonpack/tools/share";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isLeftOut, startServer, type TestServer } from "./harness/server.ts";

const all = examplesFor("redis");
const examples = all.slice(0, share(all.length, 3));
const project = fileURLToPath(new URL("../../../examples/queue-bullmq/", import.meta.url));
/** The folder from which the examples resolve packages. */
const cwd = fileURLToPath(new URL("../", import.meta.url));

describe.skipIf(isLeftOut)("examples", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server?.stop());

  const run = async (...args: string[]): Promise<string[]> => {
    const options = { cwd, timeout: 60_000, env: { ...process.env, NODE_OPTIONS: "" } };
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args, options);
    expect(stderr).toBe("");
    return stdout.trimEnd().split("\n");
  };

  test.each(examples)("$page:$line", async ({ code }) => {
    expect(code).toContain("6379");
    const program = code.replaceAll("6379", String(server.port));
    const lines = promised(code);
    expect(lines).not.toBeNull();
    expect(await run("--input-type=module", "-e", program)).toEqual(lines);
  });

  test("the project: a queue of readings", async () => {
    const lines = await run(`${project}start.js`, `redis://127.0.0.1:${server.port}`);
    expect(lines).toEqual([
      "worker 1: Harbour, 100 readings, mean 15.72 °C",
      "worker 1: Airport, 100 readings, mean 17.72 °C",
      "worker 1: Summit, 100 readings, mean 5.72 °C",
    ]);
  });
});
