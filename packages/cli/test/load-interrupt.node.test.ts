/** Ctrl-C while a load runs, as real processes. */
import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fromJson, type LoadResult } from "@moonpack/load";
import { expect, test } from "vitest";
import { bin, emptyFolder, plainEnvironment, shellCode } from "./run.js";

const onPosix = process.platform !== "win32";

/** Writes a line for each thing that happens. Operations end in a turn, or never. */
const TARGET = `import { appendFileSync } from "node:fs";
const say = (what) => appendFileSync("log", what + "\\n");
let calls = 0;
export async function get(key) {
  if (++calls === 500) say("running");
  if (process.env.STUCK && calls > 500) return new Promise(() => {});
  if (!process.env.MICROTASKS) await new Promise((resolve) => setImmediate(resolve));
}
export async function setup({ signal }) { signal.addEventListener("abort", () => say("interrupted")); }
export async function close() {
  say("closed");
  if (process.env.HANGS) await new Promise((resolve) => setTimeout(resolve, 2 ** 30));
}
`;

interface Interrupted {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly log: readonly string[];
  readonly files: readonly string[];
  readonly result: LoadResult | undefined;
}

async function interrupted(
  signals: readonly NodeJS.Signals[],
  env: Record<string, string>,
  ...args: string[]
): Promise<Interrupted> {
  const cwd = emptyFolder();
  writeFileSync(join(cwd, "target.mjs"), TARGET);
  const files = ["--json", "a.json", "--svg", "a.svg", "--markdown", "a.md"];
  const child = spawn(process.execPath, [bin, "load", "target.mjs", "--warmup", "0", ...files, ...args], {
    cwd,
    env: { ...plainEnvironment(), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<number | null>((resolve) => child.on("close", (code, by) => resolve(shellCode(code, by))));
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk;
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk;
  });
  const log = join(cwd, "log");
  const said = (what: string) => existsSync(log) && readFileSync(log, "utf8").includes(what);
  while (!said("running")) await new Promise((resolve) => setTimeout(resolve, 20));
  for (const signal of signals) {
    child.kill(signal);
    while (!said("interrupted")) await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const code = await ended;
  const json = join(cwd, "a.json");
  return {
    code,
    stdout,
    stderr,
    log: readFileSync(log, "utf8").trim().split("\n"),
    files: readdirSync(cwd).sort(),
    result: existsSync(json) ? (fromJson(JSON.parse(readFileSync(json, "utf8"))) as LoadResult) : undefined,
  };
}

const ALL_FILES = ["a.json", "a.md", "a.svg", "log", "target.mjs"];

test.runIf(onPosix).each([
  ["SIGINT", 130, {}],
  ["SIGTERM", 143, {}],
  ["SIGINT", 130, { MICROTASKS: "1" }],
] as const)("%s ends the run with %d, after writing all that was measured %j", async (signal, exit, env) => {
  const { code, stdout, stderr, log, files, result } = await interrupted([signal], env, "--duration", "1h");
  expect([code, stderr.replace(/^moonpack: takes .*\n/, "")]).toEqual([exit, ""]);
  expect(log).toEqual(["running", "interrupted", "closed"]);
  expect(files).toEqual(ALL_FILES);
  expect(result).toMatchObject({ interrupted: true, rounds: [{ partial: true, errors: {} }] });
  expect(result!.summary!.operations).toBeGreaterThan(400);
  expect(stdout).toContain("note: interrupted: the figures come from an incomplete round\n");
});

test.runIf(onPosix)("operations that never end are left after 2 s", async () => {
  const { code, log, files, result } = await interrupted(
    ["SIGINT"],
    { STUCK: "1" },
    "--duration",
    "1h",
    "--timeout",
    "1h",
  );
  expect(code).toBe(130);
  expect(log).toEqual(["running", "interrupted", "closed"]);
  expect(files).toEqual(ALL_FILES);
  expect(result).toMatchObject({ interrupted: true, summary: { errors: {} } });
});

test.runIf(onPosix)("a second signal ends at once: nothing is written, nothing is left over", async () => {
  // Its target never closes, so that only the second signal can end it.
  const env = { STUCK: "1", HANGS: "1" };
  const args = ["--duration", "1h", "--timeout", "1h"];
  const { code, stdout, log, files } = await interrupted(["SIGINT", "SIGINT"], env, ...args);
  expect([code, stdout]).toEqual([130, ""]);
  expect(log.slice(0, 2)).toEqual(["running", "interrupted"]);
  expect(files).toEqual(["log", "target.mjs"]);
});
