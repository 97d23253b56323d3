// The parts of `npm test`, and its summary.
// A part whose needs are missing prints `NOT RUN: needs ..`; with CI=true that is a failure.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { createInterface } from "node:readline";
import { stop } from "esbuild";
import { runConformance } from "../testing/conformance/src/main.mjs";
import { missingRunner } from "../testing/conformance/src/runner.mjs";
import { runInterop } from "../testing/interop/src/main.mjs";
import { missingProgram } from "../testing/interop/src/program.mjs";
import { runTutorial } from "../testing/tutorial/src/main.mjs";
import { runTutorialPage } from "../testing/tutorial/src/page.mjs";
import { isWhole, VITEST_SHARE } from "../tools/src/effort.mjs";
import { endProcessesOf, markProcesses } from "../tools/src/process-marks.mjs";
import { missingRuntime } from "../tools/src/runtimes.mjs";
import { root } from "../tools/src/setup.mjs";
import { runBenchPage } from "./bench-page.mjs";
import { runExamples } from "./examples.mjs";
import { missingGo, runGo } from "./go.mjs";
import { runSite } from "./site-test.mjs";
import { runRuntimes } from "./test-runtimes.mjs";
import { checkTypesOfTests } from "./types-of-tests.mjs";

const inCI = process.env.CI === "true";
/** The mark in the environment of all processes that this run starts. */
const RUN = markProcesses();
const scratch = mkdtempSync(join(tmpdir(), "moonpack-test-"));

/** Runs a command with its output shown, and returns its exit code. */
function run(command, args, env = {}) {
  return new Promise((resolve) => {
    const options = { cwd: root, stdio: ["ignore", "inherit", "inherit"], env: { ...process.env, ...env } };
    const child = spawn(command, args, options);
    child.on("error", (error) => {
      console.error(error);
      resolve({ status: 1 });
    });
    child.on("close", (status) => resolve({ status: status ?? 1 }));
  });
}

const node = (args, env) => run(process.execPath, args, env);
const tool = (path) => join(root, "node_modules", path);

/** Runs a command that is a single check, with its output shown. Its faults are the lines of standard output that say FAILED. */
function check(args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
    const faults = [];
    createInterface(child.stdout).on("line", (line) => {
      console.log(line);
      if (line.includes("FAILED")) faults.push(line);
    });
    child.on("error", reject);
    child.on("close", (status) => resolve({ passed: status === 0 ? 1 : 0, failed: status === 0 ? 0 : 1, faults }));
  });
}

async function vitest(patterns) {
  const report = join(scratch, "vitest.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  // Named tests run with all their cases.
  const share = patterns.length > 0 ? 1 : VITEST_SHARE;
  const args = [tool("vitest/vitest.mjs"), "run", ...reporters, ...patterns];
  const { status } = await node(args, { MOONPACK_SHARE: String(share) });
  if (!existsSync(report)) return { passed: 0, failed: 1 };
  const { numPassedTests, numFailedTests, numPendingTests, testResults } = JSON.parse(readFileSync(report, "utf8"));
  // A file that does not load has no failed tests, but vitest's status is not 0. In CI a skipped test is a failure.
  const failed = Math.max(numFailedTests, status === 0 ? 0 : 1);
  const faults = testResults.flatMap(faultsOf);
  if (inCI) faults.push(...testResults.flatMap(skippedOf));
  return { passed: numPassedTests, failed: failed + (inCI ? numPendingTests : 0), faults };
}

/** The failed tests of one file of vitest's report, each as its name and its message. */
function faultsOf({ name, message, assertionResults }) {
  const file = relative(root, name);
  const tests = assertionResults.filter(({ status }) => status === "failed");
  const ofTests = tests.map((test) => `${file}: ${test.fullName}\n${test.failureMessages.join("\n")}`);
  return message === "" || tests.length > 0 ? ofTests : [`${file}\n${message}`];
}

/** The tests of one file that did not run. */
function skippedOf({ name, assertionResults }) {
  const tests = assertionResults.filter(({ status }) => status === "pending" || status === "skipped");
  return tests.map((test) => `${relative(root, name)}: ${test.fullName}: skipped, which is a failure in CI`);
}

/** Seconds for each target. */
const FUZZ_SECONDS = 2;

/** The examples of other runtimes in the pages. vitest runs the examples of Node. */
const examples = (name, where) => ({
  name: `examples in ${where}`,
  needs: () => missingRuntime(name),
  run: () => runExamples(name),
});

/**
 * `needs` returns what is missing, or undefined. A part that is `inWholeRuns` is left out of a share. `run` returns counts,
 * `faults` (each begins with the name of what failed), and `missed`, if some of what it runs is missing.
 */
const everyPart = [
  // CI asks for all that is generated: node scripts/generate.mjs --check.
  { name: "vectors are as generated", inWholeRuns: true, run: () => check(["vectors/generate.mjs", "--check"]) },
  { name: "vitest", run: vitest, showsProgress: true },
  { name: "portable suites in every runtime", run: () => runRuntimes({ inCI, isWhole }) },
  { name: "Go", needs: missingGo, run: runGo },
  { name: "PCK tutorial", inWholeRuns: true, needs: () => missingGo(), run: () => runTutorial() },
  // Otherwise they are a part of `npm run lint`.
  { name: "types of the tests", inWholeRuns: true, run: checkTypesOfTests },
  { name: "Protobuf conformance", needs: missingRunner, run: () => runConformance({ baseline: true }) },
  { name: "Protobuf with Go", needs: missingProgram, run: runInterop },
  {
    name: `fuzz, ${FUZZ_SECONDS} s a target`,
    inWholeRuns: true,
    run: () => check(["scripts/fuzz.mjs", "--seconds", String(FUZZ_SECONDS)]),
  },
  examples("deno", "Deno"),
  examples("bun", "Bun"),
  // A share runs the examples in Deno and Bun, and the portable suites in Firefox.
  { ...examples("chromium", "Chromium"), inWholeRuns: true },
  { ...examples("firefox", "Firefox"), inWholeRuns: true },
  examples("workerd", "workerd"),
  { name: "PCK tutorial's page", needs: () => missingRuntime("chromium"), run: () => runTutorialPage() },
  // To build it takes as long as all tests of one format: npm run site:test.
  { name: "site", inWholeRuns: true, needs: () => missingRuntime("chromium"), run: () => runSite() },
  { name: "benchmark page", inWholeRuns: true, needs: () => missingRuntime("chromium"), run: () => runBenchPage() },
];
const parts = everyPart.filter(({ inWholeRuns }) => isWhole || !inWholeRuns);

const SHARED = `This was a share: ${VITEST_SHARE * 100} % of the random cases and of long lists of cases, a third of the runs of the command and of the examples in pages, a quarter of the schemas in Go, without vet and fuzzing of emitted code, and one run in Bun and in Firefox, whose engines are not Node's. Left out: fuzzing (npm run fuzz), the site (npm run site:test), the benchmarks' page, the examples in browsers, the PCK tutorial, the types of the tests (npm run lint), and the files that vitest.config.ts names, as frameworks in several versions, broken disks, killed processes, long runs and benchmarks.
All of it: npm test -- --all`;

/** How often a part that is running says so. */
const PROGRESS_MS = 20_000;

const PROCESSES = { name: "no process is left" };

/** Looks for processes that the parts started and that still run. Ends them: they would run for ever. */
async function processesLeft() {
  // Parts that bundle share a process of esbuild, which would end with this one.
  await stop();
  const left = await endProcessesOf(RUN);
  const faults = left.map(({ pid, command }) => `a process that a test started still ran: ${pid} ${command}`);
  const verdict = left.length === 0 ? "passed" : `FAILED (${left.length} still ran; they are ended now)`;
  return { verdict, passed: 0, failed: left.length, faults };
}

/** Runs one part. Returns its line of the summary, its counts, and its failures. */
async function runPart(part, patterns) {
  const missing = await part.needs?.();
  if (missing !== undefined) {
    const verdict = `NOT RUN: needs ${missing}${inCI ? " (in CI that is a failure)" : ""}`;
    return { verdict, passed: 0, failed: inCI ? 1 : 0, faults: [] };
  }
  const begun = performance.now();
  console.error(`${part.name}: begins`);
  const sayThatItRuns = () =>
    console.error(`${part.name}: running for ${((performance.now() - begun) / 1000).toFixed(0)} s`);
  const progress = part.showsProgress ? undefined : setInterval(sayThatItRuns, PROGRESS_MS);
  let result;
  try {
    result = await part.run(patterns);
  } catch (error) {
    console.error(error);
    result = { passed: 0, failed: 1, faults: [`${error.message ?? error}`] };
  }
  clearInterval(progress);
  const { passed, failed, faults = [], missed = [] } = result;
  // A part without its programs has run nothing, which says nothing about the code.
  if (passed + failed === 0 && missed.length > 0 && !inCI) {
    return { verdict: `NOT RUN: needs ${missed.join(", or ")}`, passed: 0, failed: 0, faults: [] };
  }
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  const word = failed === 0 && passed > 0 ? "passed" : "FAILED";
  const partly = missed.length > 0 ? `; not run: needs ${missed.join(", and ")}` : "";
  const verdict = `${word} (${passed} passed, ${failed} failed, ${seconds} s${partly})`;
  return { verdict, passed, failed: passed === 0 ? Math.max(failed, 1) : failed, faults };
}

/** Runs every part, or vitest alone with the given arguments, prints a summary, and returns the exit code. */
export async function main(patterns) {
  const chosen = patterns.length > 0 ? parts.filter(({ name }) => name === "vitest") : parts;
  const outcomes = new Map();
  /** Runs parts, the next one when one ends, in so many lanes beside each other. */
  const inLanes = async (some, lanes) => {
    const waiting = [...some];
    const lane = async () => {
      for (let part = waiting.shift(); part !== undefined; part = waiting.shift())
        outcomes.set(part, await runPart(part, patterns));
    };
    await Promise.all(Array.from({ length: lanes }, lane));
  };
  const isVitest = ({ name }) => name === "vitest";
  const vitestPart = chosen.filter(isVitest);
  const others = chosen.filter((part) => !isVitest(part));
  // In a whole run vitest has both of CI's cores, and most of the others use one. In a share they run beside vitest, whose tests
  // often wait: for timers, sockets, disks.
  if (isWhole) {
    await inLanes(vitestPart, 1);
    await inLanes(others, 2);
  } else await Promise.all([inLanes(vitestPart, 1), inLanes(others, 1)]);
  rmSync(scratch, { recursive: true, force: true });
  outcomes.set(PROCESSES, await processesLeft());
  const shown = [...chosen, PROCESSES];

  const width = Math.max(...shown.map(({ name }) => name.length));
  const sum = (count) => shown.reduce((total, part) => total + outcomes.get(part)[count], 0);
  if (!isWhole && patterns.length === 0) console.log(`\n${SHARED}`);
  // Below all other output, because CI may show only the end of a log.
  for (const fault of shown.flatMap((part) => outcomes.get(part).faults)) console.log(`\n${fault}`);
  console.log();
  for (const part of shown) console.log(`${part.name.padEnd(width)}  ${outcomes.get(part).verdict}`);
  const failures = shown.filter((part) => outcomes.get(part).failed > 0);
  if (failures.length > 0) console.log();
  for (const part of failures) {
    // Each with its name and the first line of its message.
    const names = outcomes.get(part).faults.map((fault) => fault.split("\n", 2).join(": ").slice(0, 400));
    for (const name of names.length > 0 ? names : ["see its output above"])
      console.log(`FAILED  ${part.name}: ${name}`);
  }
  console.log(`\n${sum("passed")} passed, ${sum("failed")} failed`);
  return sum("failed") === 0 ? 0 : 1;
}
