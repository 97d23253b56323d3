/** The example in examples/load-http: a report with ratios, a picture, an early end. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";

const script = fileURLToPath(new URL("../../../examples/load-http/compare.js", import.meta.url));

/** Runs the example. `ready` is called when it has started. */
async function run(args: readonly string[], ready: (child: ChildProcess) => void = () => {}) {
  const cwd = mkdtempSync(join(tmpdir(), "moonpack-load-"));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  const child = spawn(process.execPath, [script, ...args], { cwd, stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => {
    text += chunk;
  });
  child.stderr.once("data", () => ready(child));
  const code = await new Promise((resolve) => child.once("close", resolve));
  return { code, text, svg: readFileSync(join(cwd, "load.svg"), "utf8") };
}

test("both servers are loaded at the same rate, and compared", async () => {
  const { code, text, svg } = await run(["0.2", "200"]);
  expect(code).toBe(0);
  expect(text).toContain("## kept beside made anew\n\nGET, 100 keys (zipf); 200/s, at most 64 in flight");
  expect(text).toMatch(/^\| kept +\|.+x \([\d.]+x to [\d.]+x\) \|$/m);
  expect(text).not.toContain("Errors");
  expect(text).not.toContain("Failed");
  for (const name of ["made anew", "kept"]) expect(svg).toContain(`<title>${name}: response time`);
});

test.runIf(process.platform !== "win32")("Ctrl-C ends it with what has been measured", async () => {
  const { code, text } = await run(["3600", "200"], (child) => void child.kill("SIGINT"));
  expect(code).toBe(0);
  expect(text).toMatch(/interrupted/);
});
