// node scripts/examples.mjs [deno] [bun] [chromium] [firefox] [workerd]: runs the examples of the hand-written pages that these runtimes run, as
// they stand, in a folder that is a user's project, and compares what they print with what their comments say.
// Node's are run by packages/moonpack/test/readme.node.test.ts.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { examplesFor, promised } from "./pages.mjs";
import { newProject } from "./project.mjs";
import { findRuntime, isCommand, missingRuntime } from "./runtimes.mjs";
import { ensureBuilt, ensureInstalled, root } from "./setup.mjs";
import { askWorker } from "./workerd.mjs";

const library = join(root, "packages/moonpack");

/** By runtime: whose examples it runs, and how; `run` answers what is wrong with each example, or null. */
const runners = {
  deno: {
    reader: "deno",
    run: (executable, project, examples) =>
      runPrograms(executable, ["run", "--quiet", "--no-lock", "--allow-read=.", "--allow-write=."], project, examples),
  },
  bun: { reader: "bun", run: (executable, project, examples) => runPrograms(executable, ["run"], project, examples) },
  chromium: { reader: "page", run: (...about) => runPages("chromium", ...about) },
  firefox: { reader: "page", run: (...about) => runPages("firefox", ...about) },
  workerd: { reader: "edge", run: runWorkers },
};

/** Runs all examples of one runtime, prints a line for each, answers how many passed and failed. */
export async function runExamples(name) {
  const { reader, run } = runners[name];
  const { executable, version } = await findRuntime(name);
  const examples = examplesFor(reader);
  const project = newProject();
  try {
    const faults = await run(executable, project, examples);
    for (const [index, { page, line }] of examples.entries()) {
      const fault = faults[index];
      console.log(`${name} ${version}: ${page}:${line} ${fault === null ? "passed" : `FAILED\n${indented(fault)}`}`);
    }
    const failed = faults.filter((fault) => fault !== null).length;
    return { passed: faults.length - failed, failed };
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}

function runPrograms(executable, args, cwd, examples) {
  return examples.map(({ line, code }) => {
    const file = `example-${line}.js`;
    writeFileSync(join(cwd, file), code);
    const { status, signal, stdout, stderr, error } = spawnSync(executable, [...args, file], {
      cwd,
      encoding: "utf8",
      timeout: 60_000,
      // No colours, and nobody is asked anything.
      env: { ...process.env, NO_COLOR: "1", DENO_NO_PROMPT: "1", DENO_NO_UPDATE_CHECK: "1" },
    });
    if (error !== undefined) return `it could not be run, or not within a minute: ${error.message}`;
    if (status !== 0 || stderr !== "") return `exit ${signal ?? status}\n${stdout}${stderr}`;
    return difference(code, stdout.trimEnd().split("\n"));
  });
}

async function runPages(browser, executable, project, examples) {
  const { withPages } = await import("./browser.mjs");
  const faults = [];
  await withPages(browser, executable, project, async (visit) => {
    for (const [index, { fence, code }] of examples.entries()) {
      const lines = promised(code);
      if (lines === null) {
        faults.push("an example for a page has to say what it prints: nothing else tells that it has ended");
        continue;
      }
      const file = `example-${index}.html`; // a name that comes again would be answered from the browser's cache
      writeFileSync(join(project, file), fence === "html" ? code : pageOf(code));
      const { printed, errors } = await visit(file, lines.length);
      faults.push(errors.length > 0 ? [...printed, ...errors].join("\n") : difference(code, printed));
    }
  });
  return faults;
}

/** As a deploy tool does: one module, by the library's conditions for workerd. What it prints comes with one request. */
async function runWorkers(executable, project, examples) {
  const { build } = await import("esbuild");
  const faults = [];
  for (const [index, { code }] of examples.entries()) {
    const module = `worker-${index}.mjs`;
    try {
      await build({
        stdin: { contents: code, resolveDir: project },
        outfile: join(project, module),
        bundle: true,
        format: "esm",
        conditions: ["workerd", "worker", "browser"],
        logLevel: "silent",
      });
      const { printed } = await askWorker(executable, project, [module], 60_000);
      faults.push(difference(code, printed.trimEnd().split("\n")));
    } catch (error) {
      faults.push(error.message);
    }
  }
  return faults;
}

/** The smallest page without a build step around a module: the names that it may import are in a map. */
function pageOf(code) {
  const { exports } = JSON.parse(readFileSync(join(library, "package.json"), "utf8"));
  const imports = {};
  for (const [path, { default: target }] of Object.entries(exports)) {
    if (typeof target !== "string") continue;
    const module = target.replace("./dist/", "dist/browser/");
    if (existsSync(join(library, module))) imports[`moonpack${path.slice(1)}`] = `/node_modules/moonpack/${module}`;
  }
  return `<!doctype html>
<script type="importmap">${JSON.stringify({ imports })}</script>
<script type="module">
${code}
</script>
`;
}

function difference(code, printed) {
  const lines = promised(code);
  if (lines === null || isDeepStrictEqual(printed, lines)) return null;
  return `it should print\n${lines.join("\n")}\nand printed\n${printed.join("\n")}`;
}

const indented = (text) => text.replace(/^/gm, "    ");

if (isCommand(import.meta.url)) {
  const names = process.argv.slice(2);
  ensureInstalled();
  ensureBuilt();
  for (const name of names.length > 0 ? names : Object.keys(runners)) {
    if (!Object.hasOwn(runners, name)) throw new Error(`${name} is none of ${Object.keys(runners).join(", ")}`);
    const missing = await missingRuntime(name);
    if (missing !== undefined) console.log(`${name}: NOT RUN: needs ${missing}`);
    const failed = missing === undefined ? (await runExamples(name)).failed : 0;
    if (failed > 0 || (missing !== undefined && process.env.CI === "true")) process.exitCode = 1;
  }
}
