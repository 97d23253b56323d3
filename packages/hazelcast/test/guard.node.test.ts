/** Members end with the process that started them, also if it is killed. Any program stands for Java here. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { until } from "./harness/until.ts";

const GUARD = fileURLToPath(import.meta.resolve("@moonpack/tools/hazelcast-guard"));
const MEMBER = "setInterval(() => undefined, 1000)";
/** A test's process: starts a guard as the tools do, and never ends by itself. */
const STARTER = `
  const { spawn } = require("node:child_process");
  const guard = spawn(process.execPath, [${JSON.stringify(GUARD)}, process.execPath, "-e", ${JSON.stringify(MEMBER)}], { stdio: ["pipe", "pipe", "inherit"] });
  guard.stdout.pipe(process.stdout);
  setInterval(() => undefined, 1000);
`;

test.each(["SIGKILL", "SIGTERM"] as const)("the process that started it gets %s", async (signal) => {
  const starter = spawn(process.execPath, ["-e", STARTER], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(starter.stdout.setEncoding("utf8"), "data");
  const member = Number(line);
  expect(isRunning(member)).toBe(true);
  starter.kill(signal);
  await until(() => !isRunning(member));
});

test("a program that does not start ends its guard", async () => {
  const guard = spawn(process.execPath, [GUARD, "/no/such/program"], { stdio: ["pipe", "pipe", "inherit"] });
  const [output] = await once(guard.stdout.setEncoding("utf8"), "data");
  expect(output).toContain("ENOENT");
  if (guard.exitCode === null) await once(guard, "exit");
  expect(guard.exitCode).toBe(1);
});

function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
}
