// node scripts/go.mjs: everything that is tested of Go: format, vet, tests with the race detector, emitted code against all
// vectors, fuzz, and the module of the benchmarks. A part of `npm test`.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { writeGolden } from "./go-golden.mjs";
import { root } from "./setup.mjs";

const inCI = process.env.CI === "true";
/** Random schemas beside those of the vectors: each is compiled. */
const RANDOM_SCHEMAS = inCI ? 500 : 30;
/**
 * About 10 seconds of fuzzing in CI. Counted, not timed: at the end of a time Go up to 1.26 now and then takes its own
 * clock for a failure of the target ("context deadline exceeded", go.dev/issue/75804).
 */
const FUZZ_INPUTS = inCI ? 500_000 : 100_000;
/** A target that hangs fails after this many milliseconds: a count alone would wait for ever, and -timeout is not for fuzzing. */
const FUZZ_LIMIT = 300_000;
/** By which a terminal or a supervisor ends a test run. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];

const go = (cwd, args, options = {}) =>
  spawnSync("go", args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], ...options });

/** `go` with a limit on its time, in a group of its own: ended alone it would leave its workers behind. */
async function limited(cwd, args) {
  const child = spawn("go", args, { cwd, stdio: ["ignore", "pipe", "pipe"], detached: true });
  const end = () => process.kill(-child.pid, "SIGKILL");
  const stop = (signal) => {
    end();
    process.kill(process.pid, signal); // as if nobody had listened
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

/** What is missing for Go's part, or nothing. */
export function missingGo() {
  const { status, stdout } = go(root, ["env", "GOVERSION"]);
  const [, major, minor] = /^go(\d+)\.(\d+)/.exec(stdout ?? "") ?? [];
  return status === 0 && (Number(major) > 1 || Number(minor) >= 24) ? undefined : "Go 1.24 or later";
}

/** Generates the rivals' code anew, in a copy, and looks whether it is what lies in go/bench. */
function checkGenerated(bench) {
  const copy = join(root, "node_modules/.cache/moonpack/go-bench");
  rmSync(copy, { recursive: true, force: true });
  cpSync(bench, copy, { recursive: true });
  const edited = go(copy, ["mod", "edit", `-replace=moonpack=${join(root, "go")}`]);
  if (edited.status !== 0) return edited;
  const made = go(copy, ["generate", "./..."]);
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

/** Runs all of it; answers how many steps passed and failed. */
export async function runGo() {
  const module = join(root, "go");
  const golden = join(root, "node_modules/.cache/moonpack/go");
  const { schemas, cases, refused } = await writeGolden(golden, RANDOM_SCHEMAS);
  console.log(`Go: ${cases} cases of ${schemas} schemas, ${refused} of them too large for Go`);
  const gofmt = (folder) => () => {
    const { status, stdout, stderr } = spawnSync("gofmt", ["-l", folder], { encoding: "utf8" });
    return { status: status === 0 && stdout === "" ? 0 : 1, stdout, stderr };
  };
  // The race detector needs a C compiler.
  const race = go(module, ["env", "CGO_ENABLED"]).stdout.trim() === "1" ? ["-race"] : [];
  const fuzz = (target) => () =>
    limited(module, ["test", "-run", "^$", `-fuzz=^${target}$`, `-fuzztime=${FUZZ_INPUTS}x`, "./game"]);
  const steps = [
    ["gofmt", gofmt(module)],
    ["go vet", () => go(module, ["vet", "./..."])],
    ["go test", () => go(module, ["test", ...race, "./..."])],
    ["emitted code is as gofmt leaves it", gofmt(golden)],
    ["go vet of emitted code", () => go(golden, ["vet", "./..."])],
    ["emitted code does as the vectors say", () => go(golden, ["test", "-vet=off", "./..."])],
    ["fuzz structs", fuzz("FuzzWorld")],
    ["fuzz lists", fuzz("FuzzTopStories")],
    ["go vet of the benchmarks", () => go(join(module, "bench"), ["vet", "./..."])],
    ["benchmarks read what they wrote", () => go(join(module, "bench"), ["test", "./..."])],
    // The generators are compiled for it.
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
