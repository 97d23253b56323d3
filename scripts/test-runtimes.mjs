// npm run test:runtimes [-- NAME ..]: runs the portable suites in every runtime, or in those whose name contains a NAME
// (node-22, firefox, worker). Prints one table. Any difference between runtimes is a failure. A runtime that is missing is
// NOT RUN; with CI=true that is a failure too.
import { rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { portableSuites } from "../tools/src/portable/bundle.mjs";
import { differences, summaryOf } from "../tools/src/portable/compare.mjs";
import { bundleForPages, runPage, VARIANTS } from "../tools/src/portable/pages.mjs";
import { bundleForPrograms, runProgram, runWorkerd } from "../tools/src/portable/programs.mjs";
import { newProject } from "../tools/src/project.mjs";
import { findRuntime, isCommand, missingRuntime } from "../tools/src/runtimes.mjs";
import { ensureBuilt, ensureInstalled } from "../tools/src/setup.mjs";

const program = (needs, args, how = {}) => ({ needs, run: (at, project) => runProgram(at, args, project), ...how });
const pages = (needs) =>
  VARIANTS.map((variant) => ({
    needs,
    variant: variant.name,
    suites: variant.suites,
    generates: !variant.isStrict,
    run: (at, project) => runPage(needs, at, project, variant),
  }));

/** Every way to run them. `generates`: the runtime allows code from strings. */
const ROWS = [
  program("node-20", []),
  program("node-20", ["--disallow-code-generation-from-strings"], {
    variant: "no code generation",
    generates: false,
  }),
  program("node-22", []),
  program("node-24", []),
  program("node-26", [], { isOptional: true }),
  program("deno", ["run", "--quiet", "--no-lock"]),
  program("bun", ["run"]),
  { needs: "workerd", generates: false, run: runWorkerd },
  ...pages("chromium"),
  ...pages("firefox"),
];

/**
 * Runs them and prints the table. Returns how many tests passed and failed in all runtimes together, what failed, and which
 * runtimes are missing.
 */
export async function runRuntimes({ names = [], inCI = process.env.CI === "true", isWhole = true } = {}) {
  const isNamed = ({ needs, variant = "" }) => names.some((name) => `${needs} ${variant}`.includes(name));
  const rows = names.length === 0 ? (isWhole ? ROWS : otherEngines()) : ROWS.filter(isNamed);
  if (rows.length === 0) throw new Error(`none of ${[...new Set(ROWS.map(({ needs }) => needs))].join(", ")}`);
  const project = newProject();
  const results = [];
  try {
    await bundleForPrograms(project);
    await bundleForPages(project);
    await inTurns(rows, Math.min(2, availableParallelism()), async (row) => {
      results[rows.indexOf(row)] = await resultOf(row, project, inCI);
    });
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
  return show(results);
}

/** Every suite once in each engine that is not V8, with code generation. In V8, vitest runs the same suites. */
function otherEngines() {
  return ROWS.filter(({ needs, generates = true }) => generates && (needs === "bun" || needs === "firefox"));
}

async function resultOf(row, project, inCI) {
  const { needs, variant = "", suites, generates = true, isOptional = false, run } = row;
  const label = `${needs.replace(/-.*/, "")}${variant === "" ? "" : ` (${variant})`}`;
  const missing = await missingRuntime(needs);
  if (missing !== undefined) return { runtime: needs, label, missing, isFailure: inCI && !isOptional };
  const { executable, version } = await findRuntime(needs);
  const begun = performance.now();
  let report;
  let error;
  try {
    report = await run(executable, project);
    if (report.canGenerate !== generates)
      error = `code from strings must be ${generates ? "allowed" : "forbidden"} in this run, but it is not`;
  } catch (thrown) {
    error = thrown.message;
  }
  const seconds = (performance.now() - begun) / 1000;
  console.error(`${label} ${version}: ${error === undefined ? "done" : "FAILED"} in ${seconds.toFixed(1)} s`);
  return { runtime: needs, label, version, suites, report, error, seconds };
}

/** Calls `act` on each element, `atATime` of them at a time. */
async function inTurns(list, atATime, act) {
  const left = [...list];
  const worker = async () => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) await act(one);
  };
  await Promise.all(Array.from({ length: atATime }, worker));
}

/** Prints failures, differences and the table. Returns the counts. */
async function show(results) {
  const { default: Table } = await import("cli-table3"); // not before `ensureInstalled` has run
  const all = portableSuites();
  const table = new Table({
    head: ["runtime", "version", "suites", "passed", "failed", "seconds"],
    colAligns: ["left", "left", "right", "right", "right", "right"],
    style: { head: [], border: [] },
  });
  let passed = 0;
  const faults = [];
  const missed = [];
  const first = results.find(({ report }) => report !== undefined)?.report;
  for (const { label, version = "", suites = all, report, error, missing, isFailure, seconds } of results) {
    if (missing !== undefined) {
      table.push([label, { colSpan: 5, content: `NOT RUN: needs ${missing}` }]);
      if (isFailure) faults.push(`${label}: NOT RUN: needs ${missing}`);
      missed.push(missing);
      continue;
    }
    const summary = summaryOf(report);
    const troubles = [...(error === undefined ? [] : [error]), ...summary.failures];
    if (report !== undefined) troubles.push(...differences(suites, first, report));
    faults.push(...troubles.map((trouble) => `${label} ${version}: ${trouble}`));
    passed += summary.passed;
    table.push([label, version, summary.suites, summary.passed, troubles.length, seconds.toFixed(1)]);
  }
  for (const fault of faults) console.log(`${fault}\n`);
  console.log(table.toString());
  return { passed, failed: faults.length, faults, missed };
}

if (isCommand(import.meta.url)) {
  ensureInstalled();
  ensureBuilt();
  const { passed, failed } = await runRuntimes({ names: process.argv.slice(2) });
  console.log(`\n${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
}
