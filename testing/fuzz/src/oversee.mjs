// Runs the worker of a target in a process that can be killed when a case takes too much time or memory.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { root } from "@moonpack/tools/setup";
import { keep } from "./corpus.mjs";

const HEAP_MB = 256;
const CASE_SECONDS = 5;
/** Time until the first case: some targets compile a hundred schemas. */
const START_SECONDS = 60;
const WORKER = fileURLToPath(new URL("worker.mjs", import.meta.url));

/**
 * Fuzzes one target and prints the outcome. Returns false when it failed. The current case is always in a file. With `keepsNew`,
 * inputs with a new kind of outcome are added to the corpus.
 */
export async function oversee(target, seconds, seed, keepsNew) {
  const scratch = mkdtempSync(join(tmpdir(), "moonpack-fuzz-"));
  const current = join(scratch, "case");
  const args = [`--max-old-space-size=${HEAP_MB}`, WORKER, target, String(seconds), String(seed), current];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"], cwd: root });
  let output = "";
  let errors = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  child.stderr.on("data", (chunk) => (errors += chunk));

  let seen = "";
  let since = performance.now();
  let hung = false;
  const watch = setInterval(() => {
    const now = existsSync(current) ? readFileSync(current).subarray(0, 8).toString("hex") : "";
    if (now !== seen) {
      seen = now;
      since = performance.now();
    } else if (performance.now() - since > (seen === "" ? START_SECONDS : CASE_SECONDS) * 1000) {
      hung = true;
      child.kill("SIGKILL");
    }
  }, 500);
  const status = await new Promise((resolve) => child.on("close", resolve));
  clearInterval(watch);

  const report = output.trim().split("\n").at(-1) ?? "";
  if (status === 0 && !hung) {
    const { cases, kinds, kept } = JSON.parse(report);
    console.log(`${target}: ${cases} cases, ${kinds} kinds of outcome, no failure (seed ${seed})`);
    if (keepsNew) for (const hex of kept) keep(target, Buffer.from(hex, "hex"), "");
  } else {
    const bytes = lastCase(current);
    const file = bytes === null ? "no file: it failed before the first case" : keep(target, bytes, "crash-");
    const why = hung
      ? `${seen === "" ? `not ready after ${START_SECONDS}` : `a case took more than ${CASE_SECONDS}`} s`
      : errors.trim().split("\n").slice(0, 12).join("\n") || `exit ${status}`;
    console.log(`${target}: FAILED (seed ${seed}), input kept in ${file}\n${why}`);
  }
  rmSync(scratch, { recursive: true, force: true });
  return status === 0 && !hung;
}

/** The file of the current case: 4 bytes of counter, 4 of length, the input. */
function lastCase(path) {
  if (!existsSync(path)) return null;
  const all = readFileSync(path);
  return all.length < 8 ? null : all.subarray(8, 8 + all.readUInt32LE(4));
}
