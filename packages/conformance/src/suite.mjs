// The suite against one side, once: which cases failed, and what was answered to each.
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findRunner } from "./runner.mjs";

const TESTEE = fileURLToPath(new URL("testee.mjs", import.meta.url));
const EXPECTED = new URL("../expected-failures.txt", import.meta.url);
/** It takes two seconds. A testee that does not start is started again for every case. */
const MILLISECONDS = 60_000;
/** What the runner prints for each, if it is asked for much. */
const CASE = /^conformance test: name=(\S+), request=(.*), response=(.*)$/gm;

/**
 * Runs every case. `cases`: by name, `{ request, response }` as text. `failed`: those that did not pass, expected or not;
 * `unexpected`: lines that say which cases did otherwise than expected, or why there was no complete run.
 */
export async function runSuite(side) {
  const place = await findRunner();
  const folder = await mkdtemp(join(tmpdir(), "moonpack-conformance-"));
  try {
    const expected = await expectedFailures();
    const begun = performance.now();
    const { status, output } = await startRunner(place, side, folder, expected);
    const seconds = (performance.now() - begun) / 1000;
    return { seconds, ...(await readOutcome(status, output, folder, expected)) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function expectedFailures() {
  const lines = (await readFile(EXPECTED, "utf8")).split("\n").map((line) => line.replace(/#.*/, "").trim());
  return lines.filter((line) => line !== "");
}

async function startRunner({ executable, protos }, side, folder, expected) {
  const options = ["--verbose", "--enforce_recommended", "--output_dir", folder];
  // The runner has two suites, and each takes a listed case that is not its own for one that does not exist.
  const isText = (name) => name.includes(".TextFormatInput.");
  for (const [option, names] of [
    ["--failure_list", expected.filter((name) => !isText(name))],
    ["--text_format_failure_list", expected.filter(isText)],
  ]) {
    const list = join(folder, `${option.slice(2)}.txt`);
    await writeFile(list, names.join("\n"));
    options.push(option, list);
  }
  // The runner gives a program its own name as first argument: `env` takes that for what it should start, itself.
  return collect(executable, [...options, "/usr/bin/env", process.execPath, TESTEE, side, protos]);
}

/** Starts a program in a process group of its own, so that what it starts ends with it when time is up. */
function collect(executable, args) {
  return new Promise((resolve) => {
    const child = spawn(executable, args, { detached: true, stdio: ["ignore", "ignore", "pipe"] });
    const timer = setTimeout(() => process.kill(-child.pid, "SIGKILL"), MILLISECONDS);
    const chunks = [];
    child.stderr.on("data", (chunk) => chunks.push(chunk));
    child.on("error", (error) => {
      clearTimeout(timer);
      resolve({ status: 1, output: String(error) });
    });
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      resolve({
        status: code ?? `${signal}; it has ${MILLISECONDS / 1000} s`,
        output: Buffer.concat(chunks).toString(),
      });
    });
  });
}

async function readOutcome(status, output, folder, expected) {
  const cases = new Map();
  for (const [, name, request, response] of output.matchAll(CASE)) cases.set(name, { request, response });
  cases.delete("FindFailures"); // the runner's way to ask for a list that we give it in a file
  const failing = await names(join(folder, "failing_tests.txt"));
  const succeeding = await names(join(folder, "succeeding_tests.txt"));
  const missing = await names(join(folder, "nonexistent_tests.txt"));
  const skipped = [...output.matchAll(/^SKIPPED, test=(\S+)/gm)].map(([, name]) => name);
  const failed = new Set([...expected.filter((name) => cases.has(name)), ...failing, ...skipped]);
  for (const name of succeeding) failed.delete(name);
  const unexpected = [
    ...failing.map((name) => `${name} failed`),
    ...succeeding.map((name) => `${name} passed, and is in expected-failures.txt`),
    ...missing.map((name) => `${name} does not exist, and is in expected-failures.txt`),
    ...skipped.map((name) => `${name} was skipped`),
  ];
  if (status !== 0 && unexpected.length === 0)
    unexpected.push(`the runner ended with ${status}\n${output.slice(-2000)}`);
  // The second suite is not begun when a case of the first does otherwise than expected.
  const suites = output.match(/^CONFORMANCE SUITE (PASSED|FAILED)/gm)?.length ?? 0;
  if (suites < 2) unexpected.push("text format was not run");
  return { cases, failed, unexpected };
}

async function names(path) {
  const text = await readFile(path, "utf8").catch(() => ""); // no file where there is nothing to say
  return text.split("\n").filter((line) => line !== "");
}
