// One run of the suite against one side: the failed cases, and the response to each case.
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findRunner } from "./runner.mjs";

const TESTEE = fileURLToPath(new URL("testee.mjs", import.meta.url));
const EXPECTED = new URL("../expected-failures.txt", import.meta.url);
/** A complete run takes two seconds. A testee that crashes is started again for every case. */
const MILLISECONDS = 60_000;
/** The output of the runner for each case with --verbose. */
const CASE = /^conformance test: name=(\S+), request=(.*), response=(.*)$/gm;

/**
 * Runs every case. `cases` maps names to `{ request, response }` as text. `failed` are all cases that did not pass, expected or
 * not. `unexpected` are lines about unexpected results, or about an incomplete run.
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
  // The runner has two suites. Each reports listed cases of the other as nonexistent.
  const isText = (name) => name.includes(".TextFormatInput.");
  for (const [option, names] of [
    ["--failure_list", expected.filter((name) => !isText(name))],
    ["--text_format_failure_list", expected.filter(isText)],
  ]) {
    const list = join(folder, `${option.slice(2)}.txt`);
    await writeFile(list, names.join("\n"));
    options.push(option, list);
  }
  // The runner passes the program its own name as first argument; `env` takes that as the program to start.
  return collect(executable, [...options, "/usr/bin/env", process.execPath, TESTEE, side, protos]);
}

/** Starts a program in its own process group, so that its child processes end with it on a timeout. */
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
        status: code ?? `${signal}; the limit is ${MILLISECONDS / 1000} s`,
        output: Buffer.concat(chunks).toString(),
      });
    });
  });
}

async function readOutcome(status, output, folder, expected) {
  const cases = new Map();
  for (const [, name, request, response] of output.matchAll(CASE)) cases.set(name, { request, response });
  cases.delete("FindFailures"); // the runner asks for a list this way, but it gets a file
  const failing = await names(join(folder, "failing_tests.txt"));
  const succeeding = await names(join(folder, "succeeding_tests.txt"));
  const missing = await names(join(folder, "nonexistent_tests.txt"));
  const skipped = [...output.matchAll(/^SKIPPED, test=(\S+)/gm)].map(([, name]) => name);
  const failed = new Set([...expected.filter((name) => cases.has(name)), ...failing, ...skipped]);
  for (const name of succeeding) failed.delete(name);
  const unexpected = [
    ...failing.map((name) => `${name} failed`),
    ...succeeding.map((name) => `${name} passed, but is listed in expected-failures.txt`),
    ...missing.map((name) => `${name} does not exist, but is listed in expected-failures.txt`),
    ...skipped.map((name) => `${name} was skipped`),
  ];
  if (status !== 0 && unexpected.length === 0)
    unexpected.push(`the runner ended with ${status}\n${output.slice(-2000)}`);
  // The second suite does not start after an unexpected result in the first.
  const suites = output.match(/^CONFORMANCE SUITE (PASSED|FAILED)/gm)?.length ?? 0;
  if (suites < 2) unexpected.push("text format was not run");
  return { cases, failed, unexpected };
}

async function names(path) {
  const text = await readFile(path, "utf8").catch(() => ""); // the file is missing when the list is empty
  return text.split("\n").filter((line) => line !== "");
}
