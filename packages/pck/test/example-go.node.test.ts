/** The example in examples/pck-go, copied whole: its emitted code is current, its service answers the client, and refuses other bytes. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const copy = mkdtempSync(join(tmpdir(), "moonpack-pck-go-"));
cpSync(join(root, "examples/pck-go"), copy, { recursive: true });
symlinkSync(join(root, "node_modules"), join(copy, "node_modules"), "junction");
afterAll(() => rmSync(copy, { recursive: true, force: true }));

const hasGo = spawnSync("go", ["version"]).status === 0;

test("its emitted code is current", () => {
  const args = ["emit", "schema.js", "--target", "go", "--package", "order", "--out", "order", "--check"];
  const { status, stderr } = spawnSync(process.execPath, [join(root, "packages/cli/dist/main.js"), ...args], {
    cwd: copy,
    encoding: "utf8",
    env: { ...process.env, INIT_CWD: undefined, NODE_OPTIONS: "" },
  });
  expect([status, stderr]).toEqual([0, ""]);
});

test.skipIf(!hasGo)("a copy of the folder builds, and its service answers", { timeout: 180_000 }, async () => {
  const program = join(copy, "shop");
  const built = spawnSync("go", ["build", "-o", program, "."], { cwd: copy, encoding: "utf8" });
  expect([built.status, built.stderr]).toEqual([0, ""]);
  const service = spawn(program, ["0"], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    const [url] = (await once(createInterface(service.stdout), "line")) as [string];
    const sent = spawnSync(process.execPath, ["send.js", new URL(url).port], { cwd: copy, encoding: "utf8" });
    expect([sent.stdout, sent.stderr]).toEqual(["24 bytes sent, receipt 1: 2100 cents\n", ""]);
    // The page of the example shows the same line.
    expect(readFileSync(join(copy, "README.md"), "utf8")).toContain(`\n${sent.stdout}`);
    const refused = await fetch(url, { method: "POST", body: Uint8Array.of(255) });
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining("ERR_TRUNCATED")]);
  } finally {
    service.kill();
    await once(service, "exit");
  }
});
