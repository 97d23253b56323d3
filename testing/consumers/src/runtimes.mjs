// The programs in other runtimes: Deno and Bun run them from node_modules, as ES modules and as CommonJS; workerd runs a
// worker that is bundled with its conditions. A runtime that is missing is reported, and a fault with CI=true.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promised } from "@moonpack/tools/pages";
import { findRuntime, missingRuntime } from "@moonpack/tools/runtimes";
import { askWorker } from "@moonpack/tools/workerd";
import { build } from "esbuild";
import { faultsOf, run } from "./run.mjs";

const RUNTIMES = {
  deno: (executable, project) => runAll(executable, ["run", "--quiet", "--no-lock", "--allow-all"], project),
  bun: (executable, project) => runAll(executable, ["run"], project),
  workerd: runWorker,
};
const KINDS = { esm: "js", cjs: "cjs" };
const PATIENCE_MS = 60_000;

export async function checkRuntimes(project) {
  const faults = [];
  for (const [name, runAllIn] of Object.entries(RUNTIMES)) {
    const missing = await missingRuntime(name);
    if (missing === undefined) {
      const { executable } = await findRuntime(name);
      faults.push(...(await runAllIn(executable, project)).map((fault) => `${name}: ${fault}`));
    } else {
      console.log(`  NOT RUN: needs ${missing}`);
      if (process.env.CI === "true") faults.push(`NOT RUN: needs ${missing}`);
    }
  }
  return faults;
}

const forPages = (programs) => programs.filter(({ isForNode }) => !isForNode);

function runAll(executable, args, { folder, programs }) {
  const files = forPages(programs).flatMap((program) =>
    Object.entries(KINDS).map(([kind, ending]) => ({ program, file: `out/${kind}/${program.name}.${ending}` })),
  );
  const env = { ...process.env, NO_COLOR: "1", DENO_NO_PROMPT: "1", DENO_NO_UPDATE_CHECK: "1" };
  return faultsOf(files, async ({ program: { source }, file }) => {
    const { status, stdout, stderr } = await run(executable, [...args, file], { cwd: folder, env });
    return status === 0 ? difference(source, stdout, file, stderr) : [`${file}: exit ${status}\n${stdout}${stderr}`];
  });
}

/** One worker runs all programs, one after the other, within its first request. */
async function runWorker(executable, { folder, programs }) {
  const some = forPages(programs);
  const out = join(folder, "workerd");
  mkdirSync(out);
  writeFileSync(join(out, "entry.mjs"), workerOf(some));
  try {
    await build({
      entryPoints: [join(out, "entry.mjs")],
      outfile: join(out, "worker.mjs"),
      bundle: true,
      format: "esm",
      conditions: ["workerd", "worker", "browser"],
      logLevel: "silent",
    });
    const { body } = await askWorker(executable, out, ["worker.mjs"], PATIENCE_MS);
    const printed = JSON.parse(body);
    return some.flatMap(({ name, source }) => difference(source, printed[name], name));
  } catch (error) {
    return [error.message];
  }
}

/** Programs end when they print their last line: most return nothing to wait for. */
function workerOf(programs) {
  const parts = programs.map(({ name, source }) => {
    const lines = promised(source).length;
    return `printed[${JSON.stringify(name)}] = await linesOf(${lines}, () => import("../out/esm/${name}.js"));`;
  });
  return `export default {
  async fetch() {
    const printed = {};
    ${parts.join("\n    ")}
    return Response.json(printed);
  },
};
const text = (value) => (typeof value === "string" ? value : String(value));
async function linesOf(count, load) {
  const lines = [];
  let done;
  const all = new Promise((resolve) => (done = resolve));
  console.log = (...values) => {
    if (lines.push(values.map(text).join(" ")) >= count) done();
  };
  await load();
  await Promise.race([all, new Promise((resolve) => setTimeout(resolve, 5000))]);
  return lines.join("\\n") + "\\n";
}
`;
}

function difference(source, printed, name, errors = "") {
  const expected = `${promised(source).join("\n")}\n`;
  return printed === expected && errors === "" ? [] : [`${name}:\n${printed}${errors}expected\n${expected}`];
}
