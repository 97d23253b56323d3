// `npm test`: everything, in parts. `npm test -- PATTERN ..` runs only vitest, with these arguments.
// What a part needs and is not there: `NOT RUN: needs ..`; with CI=true that is a failure.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runConformance } from "../packages/conformance/src/main.mjs";
import { missingRunner } from "../packages/conformance/src/runner.mjs";
import { runInterop } from "../packages/interop/src/main.mjs";
import { missingProgram } from "../packages/interop/src/program.mjs";
import { runBenchPage } from "./bench-page.mjs";
import { runExamples } from "./examples.mjs";
import { missingGo, runGo } from "./go.mjs";
import { missingRuntime } from "./runtimes.mjs";
import { ensureBuilt, ensureInstalled } from "./setup.mjs";
import { runRuntimes } from "./test-runtimes.mjs";
import { runTutorialPage } from "./tutorial/page.mjs";
import { missingForTutorial, runTutorial } from "./tutorial.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const inCI = process.env.CI === "true";
const patterns = process.argv.slice(2);
const scratch = mkdtempSync(join(tmpdir(), "moonpack-test-"));

/** Runs a command with its output shown; answers its exit code. */
function run(command, args) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: ["ignore", "inherit", "inherit"] });
    child.on("error", (error) => {
      console.error(error);
      resolve({ status: 1 });
    });
    child.on("close", (status) => resolve({ status: status ?? 1 }));
  });
}

const node = (args) => run(process.execPath, args);
const tool = (path) => join(root, "node_modules", path);

/** One check that either holds or does not. */
const check = async (args) => ((await node(args)).status === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 });

async function vitest() {
  const report = join(scratch, "vitest.json");
  const { status } = await node([
    tool("vitest/vitest.mjs"),
    "run",
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${report}`,
    ...patterns,
  ]);
  if (!existsSync(report)) return { passed: 0, failed: 1 };
  const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(report, "utf8"));
  // A file that does not load has no tests to fail; and tests that were skipped are not passed.
  const failed = Math.max(numFailedTests, status === 0 ? 0 : 1);
  return { passed: numPassedTests, failed: failed + (inCI ? numPendingTests : 0) };
}

async function typesOfTests() {
  let passed = 0;
  let failed = 0;
  for (const name of readdirSync(join(root, "packages"))) {
    const config = join(root, "packages", name, "test/tsconfig.json");
    if (!existsSync(config)) continue;
    const result = await check([tool("typescript/bin/tsc"), "-p", config]);
    passed += result.passed;
    failed += result.failed;
  }
  return { passed, failed };
}

/** The examples in the pages that are not Node's; those are vitest's. */
const examples = (name, where) => ({
  name: `examples in ${where}`,
  needs: () => missingRuntime(name),
  run: () => runExamples(name),
});

/** `needs` answers what is missing, or nothing. */
const parts = [
  { name: "vectors are as generated", run: () => check(["vectors/generate.mjs", "--check"]) },
  { name: "vitest", run: vitest },
  { name: "portable suites in every runtime", run: () => runRuntimes({ inCI }) },
  { name: "types of the tests", run: typesOfTests },
  { name: "Protobuf conformance", needs: missingRunner, run: () => runConformance({ baseline: true }) },
  { name: "Protobuf with Go", needs: missingProgram, run: runInterop },
  { name: "fuzz, 2 seconds a target", run: () => check(["scripts/fuzz.mjs", "--seconds", "2"]) },
  { name: "Go", needs: missingGo, run: runGo },
  examples("deno", "Deno"),
  examples("bun", "Bun"),
  examples("chromium", "Chromium"),
  examples("firefox", "Firefox"),
  examples("workerd", "workerd"),
  { name: "PCK tutorial", needs: missingForTutorial, run: () => runTutorial() },
  { name: "PCK tutorial's page", needs: () => missingRuntime("chromium"), run: () => runTutorialPage() },
  { name: "benchmark page", needs: () => missingRuntime("chromium"), run: () => runBenchPage() },
];

ensureInstalled();
ensureBuilt();
const summary = [];
let passed = 0;
let failed = 0;
for (const part of patterns.length > 0 ? parts.filter(({ name }) => name === "vitest") : parts) {
  const missing = await part.needs?.();
  if (missing !== undefined) {
    summary.push([part.name, `NOT RUN: needs ${missing}${inCI ? " (in CI that is a failure)" : ""}`]);
    if (inCI) failed++;
    continue;
  }
  const begun = performance.now();
  let result;
  try {
    result = await part.run();
  } catch (error) {
    console.error(error);
    result = { passed: 0, failed: 1 };
  }
  passed += result.passed;
  failed += result.failed;
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  const verdict = result.failed === 0 && result.passed > 0 ? "passed" : "FAILED";
  summary.push([part.name, `${verdict} (${result.passed} passed, ${result.failed} failed, ${seconds} s)`]);
  if (result.failed === 0 && result.passed === 0) failed++;
}
rmSync(scratch, { recursive: true, force: true });

const width = Math.max(...summary.map(([name]) => name.length));
console.log();
for (const [name, verdict] of summary) console.log(`${name.padEnd(width)}  ${verdict}`);
console.log();
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
