// The parts of `npm test`, and its summary.
// What a part needs and is not there: `NOT RUN: needs ..`; with CI=true that is a failure.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { runConformance } from "../proving/conformance/src/main.mjs";
import { missingRunner } from "../proving/conformance/src/runner.mjs";
import { runInterop } from "../proving/interop/src/main.mjs";
import { missingProgram } from "../proving/interop/src/program.mjs";
import { runTutorial } from "../proving/tutorial/src/main.mjs";
import { runTutorialPage } from "../proving/tutorial/src/page.mjs";
import { isWhole, VITEST_SHARE } from "../tools/src/effort.mjs";
import { missingRuntime } from "../tools/src/runtimes.mjs";
import { root, workspaces } from "../tools/src/setup.mjs";
import { runBenchPage } from "./bench-page.mjs";
import { runExamples } from "./examples.mjs";
import { missingGo, runGo } from "./go.mjs";
import { runRuntimes } from "./test-runtimes.mjs";

const inCI = process.env.CI === "true";
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

/** One check that either holds or does not. */
const check = async (args) => ((await node(args)).status === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 });

async function vitest(patterns) {
  const report = join(scratch, "vitest.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  // Somebody who names tests wants all of them.
  const share = patterns.length > 0 ? 1 : VITEST_SHARE;
  const args = [tool("vitest/vitest.mjs"), "run", ...reporters, ...patterns];
  const { status } = await node(args, { MOONPACK_SHARE: String(share) });
  if (!existsSync(report)) return { passed: 0, failed: 1 };
  const { numPassedTests, numFailedTests, numPendingTests, testResults } = JSON.parse(readFileSync(report, "utf8"));
  // A file that does not load has no tests to fail; and tests that were skipped are not passed.
  const failed = Math.max(numFailedTests, status === 0 ? 0 : 1);
  const faults = testResults.flatMap(faultsOf);
  return { passed: numPassedTests, failed: failed + (inCI ? numPendingTests : 0), faults };
}

/** The failed tests of one file of vitest's report, each as its name and its message. */
function faultsOf({ name, message, assertionResults }) {
  const file = relative(root, name);
  const tests = assertionResults.filter(({ status }) => status === "failed");
  const ofTests = tests.map((test) => `${file}: ${test.fullName}\n${test.failureMessages.join("\n")}`);
  return message === "" || tests.length > 0 ? ofTests : [`${file}\n${message}`];
}

async function typesOfTests() {
  let passed = 0;
  let failed = 0;
  for (const folder of workspaces()) {
    const config = join(folder, "test/tsconfig.json");
    if (!existsSync(config)) continue;
    const result = await check([tool("typescript/bin/tsc"), "-p", config]);
    passed += result.passed;
    failed += result.failed;
  }
  return { passed, failed };
}

/** For each target. */
const FUZZ_SECONDS = isWhole ? 2 : 0.5;

/** The examples in the pages that are not Node's; those are vitest's. */
const examples = (name, where) => ({
  name: `examples in ${where}`,
  isAside: true,
  needs: () => missingRuntime(name),
  run: () => runExamples(name),
});

/**
 * `needs` returns what is missing, or undefined. Two parts that are `isAside` may run at the same time: each keeps one core
 * busy. The parts before them keep two. Long ones come first,
 * so that none is left alone at the end.
 */
const parts = [
  { name: "vectors are as generated", run: () => check(["vectors/generate.mjs", "--check"]) },
  { name: "vitest", run: vitest },
  { name: "portable suites in every runtime", run: () => runRuntimes({ inCI, isWhole }) },
  { name: "Go", isAside: true, needs: missingGo, run: runGo },
  { name: "PCK tutorial", isAside: true, needs: () => missingGo(), run: () => runTutorial() },
  { name: "types of the tests", isAside: true, run: typesOfTests },
  { name: "Protobuf conformance", isAside: true, needs: missingRunner, run: () => runConformance({ baseline: true }) },
  { name: "Protobuf with Go", isAside: true, needs: missingProgram, run: runInterop },
  {
    name: `fuzz, ${FUZZ_SECONDS} s a target`,
    isAside: true,
    run: () => check(["scripts/fuzz.mjs", "--seconds", String(FUZZ_SECONDS)]),
  },
  examples("deno", "Deno"),
  examples("bun", "Bun"),
  examples("chromium", "Chromium"),
  examples("firefox", "Firefox"),
  examples("workerd", "workerd"),
  { name: "PCK tutorial's page", isAside: true, needs: () => missingRuntime("chromium"), run: () => runTutorialPage() },
  { name: "benchmark page", isAside: true, needs: () => missingRuntime("chromium"), run: () => runBenchPage() },
];

const SHARED = `This was a share: ${VITEST_SHARE * 100} % of the random cases and of long lists of cases, a third of the runs of the command, and one run in Bun and in Firefox, whose engines are not Node's.
All of it: npm test -- --all`;

/** Runs one part. Returns its line of the summary, its counts, and what failed in it. */
async function runPart(part, patterns) {
  const missing = await part.needs?.();
  if (missing !== undefined) {
    const verdict = `NOT RUN: needs ${missing}${inCI ? " (in CI that is a failure)" : ""}`;
    return { verdict, passed: 0, failed: inCI ? 1 : 0, faults: [] };
  }
  const begun = performance.now();
  let result;
  try {
    result = await part.run(patterns);
  } catch (error) {
    console.error(error);
    result = { passed: 0, failed: 1 };
  }
  const { passed, failed, faults = [] } = result;
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  const word = failed === 0 && passed > 0 ? "passed" : "FAILED";
  const verdict = `${word} (${passed} passed, ${failed} failed, ${seconds} s)`;
  return { verdict, passed, failed: passed === 0 ? Math.max(failed, 1) : failed, faults };
}

/** Runs every part, or vitest alone with the given arguments, prints a summary, and returns the exit code. */
export async function main(patterns) {
  const chosen = patterns.length > 0 ? parts.filter(({ name }) => name === "vitest") : parts;
  const outcomes = new Map();
  const inOrder = async (some) => {
    for (const part of some) outcomes.set(part, await runPart(part, patterns));
  };
  // A whole run takes one part after the other, so that its log can be read.
  if (isWhole) await inOrder(chosen);
  else {
    await inOrder(chosen.filter(({ isAside }) => !isAside));
    // Each of the two takes the next part when it is done with one.
    const queue = chosen.filter(({ isAside }) => isAside).values();
    await Promise.all([inOrder(queue), inOrder(queue)]);
  }
  rmSync(scratch, { recursive: true, force: true });

  const width = Math.max(...chosen.map(({ name }) => name.length));
  const sum = (count) => chosen.reduce((total, part) => total + outcomes.get(part)[count], 0);
  console.log();
  for (const part of chosen) console.log(`${part.name.padEnd(width)}  ${outcomes.get(part).verdict}`);
  // Said once more below the summary: the log of CI may show its end only.
  for (const fault of chosen.flatMap((part) => outcomes.get(part).faults)) console.log(`\n${fault}`);
  console.log();
  console.log(`${sum("passed")} passed, ${sum("failed")} failed`);
  if (!isWhole && patterns.length === 0) console.log(SHARED);
  return sum("failed") === 0 ? 0 : 1;
}
