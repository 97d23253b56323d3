// node scripts/go.mjs: tests everything in Go: format, vet, tests with the race detector, emitted code with all
// vectors, fuzzing, and the module of the benchmarks. A part of `npm test`.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { isWhole } from "../tools/src/effort.mjs";
import { root } from "../tools/src/setup.mjs";
import { writeGolden } from "./go-golden.mjs";
import { allCases } from "./go-golden-cases.mjs";
import { writePicks } from "./go-picks.mjs";

const inCI = process.env.CI === "true";
/** The number of random schemas that are compiled besides the vectors' schemas. */
const RANDOM_SCHEMAS = isWhole ? 250 : 30;
/** A share compiles every fourth of the schemas. */
const EVERY = isWhole ? 1 : 4;
const someCases = async (...of) => (await allCases(...of)).filter((_, i) => i % EVERY === 0);
/**
 * About 10 seconds of fuzzing. A number of inputs, not a duration: up to Go 1.26 the fuzzing timer is sometimes reported
 * as a failure of the target ("context deadline exceeded", go.dev/issue/75804).
 */
const FUZZ_INPUTS = 500_000;
/**
 * The time limit of a fuzz target in milliseconds: a number of inputs alone never ends a target that hangs, and
 * -timeout does not apply to fuzzing.
 */
const FUZZ_LIMIT = 300_000;
/** The signals by which a terminal or a supervisor ends a test run. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];

/** Runs a command to its end. Not synchronous: other parts of `npm test` run at the same time, in this process. */
async function ended(command, args, cwd) {
  const child = spawn(command, args, { cwd, stdio: ["ignore", "pipe", "pipe"] });
  const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { status, stdout, stderr };
}

const go = (cwd, args) => ended("go", args, cwd);

/** Runs `go` with a time limit, in a process group: killing `go` alone would leave its workers running. */
async function limited(cwd, args) {
  const child = spawn("go", args, { cwd, stdio: ["ignore", "pipe", "pipe"], detached: true });
  const end = () => process.kill(-child.pid, "SIGKILL");
  const stop = (signal) => {
    end();
    process.kill(process.pid, signal); // the default action, as without a listener
  };
  const limit = setTimeout(end, FUZZ_LIMIT);
  for (const signal of SIGNALS) process.once(signal, stop);
  try {
    const [stdout, stderr, [status]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, "close"),
    ]);
    return { status, stdout, stderr: status === null ? `${stderr}\nended after ${FUZZ_LIMIT} ms\n` : stderr };
  } finally {
    clearTimeout(limit);
    for (const signal of SIGNALS) process.off(signal, stop);
  }
}

/** The missing program for tests of Go; undefined if none is missing. */
export function missingGo() {
  const { status, stdout } = spawnSync("go", ["env", "GOVERSION"], { cwd: root, encoding: "utf8" });
  const [, major, minor] = /^go(\d+)\.(\d+)/.exec(stdout ?? "") ?? [];
  return status === 0 && (Number(major) > 1 || Number(minor) >= 24) ? undefined : "Go 1.24 or later";
}

/** Runs the generators of the other formats' code on a copy of go/bench, and compares the result with go/bench. */
async function checkGenerated(bench) {
  const copy = join(root, "node_modules/.cache/moonpack/go-bench");
  rmSync(copy, { recursive: true, force: true });
  cpSync(bench, copy, { recursive: true });
  const edited = await go(copy, ["mod", "edit", `-replace=moonpack=${join(root, "go")}`]);
  if (edited.status !== 0) return edited;
  const made = await go(copy, ["generate", "./..."]);
  if (made.status !== 0) return made;
  const stale = ["plain/msgp.go", "protobuf/bench.pb.go"].filter(
    (file) => readFileSync(join(copy, file), "utf8") !== readFileSync(join(bench, file), "utf8"),
  );
  return {
    status: stale.length,
    stdout: stale.map((file) => `go/bench/${file} is stale: run go generate ./...\n`).join(""),
    stderr: "",
  };
}

/** Runs all steps. Returns how many passed and how many failed. */
export async function runGo() {
  const module = join(root, "go");
  const golden = join(root, "node_modules/.cache/moonpack/go");
  const { schemas, cases, refused } = await writeGolden(golden, RANDOM_SCHEMAS, someCases);
  console.log(`Go: ${cases} cases of ${schemas} schemas, ${refused} of them too large for Go`);
  const picks = join(root, "node_modules/.cache/moonpack/go-picks");
  const picked = await writePicks(picks, RANDOM_SCHEMAS);
  console.log(`Go: ${picked.cases} cases of ${picked.picks} picks`);
  const gofmt = (folder) => async () => {
    const { status, stdout, stderr } = await ended("gofmt", ["-l", folder], root);
    return { status: status === 0 && stdout === "" ? 0 : 1, stdout, stderr };
  };
  // The race detector needs a C compiler, and takes longer than all the rest of a share.
  const race = isWhole && (await go(module, ["env", "CGO_ENABLED"])).stdout.trim() === "1" ? ["-race"] : [];
  const fuzz = (target) => () =>
    limited(module, ["test", "-run", "^$", `-fuzz=^${target}$`, `-fuzztime=${FUZZ_INPUTS}x`, "./game"]);
  // Each of these compiles all over again, so a share leaves them out. `go test` runs the seeds of the fuzz targets.
  const slow = [
    ["go vet of emitted code", () => go(golden, ["vet", "./..."])],
    ["go vet of emitted picks", () => go(picks, ["vet", "./..."])],
    ["fuzz structs", fuzz("FuzzWorld")],
    ["fuzz lists", fuzz("FuzzTopStories")],
    ["go vet of the benchmarks", () => go(join(module, "bench"), ["vet", "./..."])],
    ["benchmarks read what they wrote", () => go(join(module, "bench"), ["test", "./..."])],
  ];
  const steps = [
    ["gofmt", gofmt(module)],
    ["go vet", () => go(module, ["vet", "./..."])],
    ["go test", () => go(module, ["test", ...race, "./..."])],
    ["emitted code is as gofmt leaves it", gofmt(golden)],
    ["emitted code does as the vectors say", () => go(golden, ["test", "-vet=off", "./..."])],
    ["emitted picks are as gofmt leaves them", gofmt(picks)],
    ["emitted picks do as pick does", () => go(picks, ["test", "-vet=off", "./..."])],
    ...(isWhole ? slow : []),
    // This step compiles the generators.
    ...(inCI ? [["generated code of the benchmarks is current", () => checkGenerated(join(module, "bench"))]] : []),
  ];
  let passed = 0;
  for (const [name, run] of steps) {
    const { status, stdout, stderr } = await run();
    if (status === 0) passed++;
    console.log(`Go: ${name}: ${status === 0 ? "passed" : `FAILED\n${`${stdout}${stderr}`.slice(0, 8000)}`}`);
  }
  return { passed, failed: steps.length - passed };
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const missing = missingGo();
  if (missing !== undefined) {
    console.log(`NOT RUN: needs ${missing}`);
    process.exitCode = inCI ? 1 : 0;
  } else process.exitCode = (await runGo()).failed === 0 ? 0 : 1;
}
