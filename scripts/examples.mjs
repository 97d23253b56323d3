// node scripts/examples.mjs [deno] [bun] [chromium] [firefox] [workerd]: runs the examples in the hand-written pages in
// these
// runtimes, unchanged, in the folder of a user's project, and compares their output with their comments.
// packages/moonpack/test/readme.node.test.ts runs those for Node.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { isDeepStrictEqual } from "node:util";
import { examplesFor, promised } from "../tools/src/pages.mjs";
import { newProject } from "../tools/src/project.mjs";
import { findRuntime, isCommand, missingRuntime } from "../tools/src/runtimes.mjs";
import { ensureBuilt, ensureInstalled, root } from "../tools/src/setup.mjs";
import { askWorker } from "../tools/src/workerd.mjs";

/** For each runtime: the examples that it runs, and how. `run` returns the fault of each example, or null. */
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

/** Runs all examples of one runtime and prints a line for each. Returns how many passed and failed. */
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

async function runPrograms(executable, args, cwd, examples) {
  const faults = [];
  for (const example of examples) faults.push(await faultOf(executable, args, cwd, example));
  return faults;
}

/**
 * Returns the fault of one example, or null. Not synchronous: other parts of `npm test` run at the same time, in this
 * process.
 */
async function faultOf(executable, args, cwd, { line, code }) {
  const file = `example-${line}.js`;
  writeFileSync(join(cwd, file), code);
  const child = spawn(executable, [...args, file], {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 60_000,
    // No colours, and no prompts.
    env: { ...process.env, NO_COLOR: "1", DENO_NO_PROMPT: "1", DENO_NO_UPDATE_CHECK: "1" },
  });
  try {
    const [stdout, stderr, [status, signal]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, "close"),
    ]);
    if (status === 0 && stderr === "") return difference(code, stdout.trimEnd().split("\n"));
    return `exit ${signal === null ? status : `${signal}, after a minute if it was ended here`}\n${stdout}${stderr}`;
  } catch (error) {
    return `it did not start: ${error.message}`;
  }
}

async function runPages(browser, executable, project, examples) {
  const { withPages } = await import("../tools/src/browser.mjs");
  const faults = [];
  await withPages(browser, executable, project, async (visit) => {
    for (const [index, { fence, code }] of examples.entries()) {
      const lines = promised(code);
      if (lines === null) {
        faults.push("an example for a page must state its output, which shows when it has ended");
        continue;
      }
      const file = `example-${index}.html`; // a repeated name would come from the browser's cache
      writeFileSync(join(project, file), fence === "html" ? code : pageOf(code));
      const { printed, errors } = await visit(file, lines.length);
      faults.push(errors.length > 0 ? [...printed, ...errors].join("\n") : difference(code, printed));
    }
  });
  return faults;
}

/**
 * Bundles each example as a deploy tool does: one module, with the library's conditions for workerd. One request
 * returns its output.
 */
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

/** The smallest page without a build step: an import map lists the names that its module may import. */
function pageOf(code) {
  const imports = {};
  for (const folder of ["moonpack", "compat", "protobuf", "pck"]) {
    const library = join(root, "packages", folder);
    const { name, exports } = JSON.parse(readFileSync(join(library, "package.json"), "utf8"));
    for (const [path, { import: target }] of Object.entries(exports)) {
      if (target === undefined) continue;
      const module = target.default.replace("./dist/", "dist/browser/");
      if (existsSync(join(library, module))) imports[`${name}${path.slice(1)}`] = `/node_modules/${name}/${module}`;
    }
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
  return `expected\n${lines.join("\n")}\nprinted\n${printed.join("\n")}`;
}

const indented = (text) => text.replace(/^/gm, "    ");

if (isCommand(import.meta.url)) {
  const names = process.argv.slice(2);
  ensureInstalled();
  ensureBuilt();
  for (const name of names.length > 0 ? names : Object.keys(runners)) {
    if (!Object.hasOwn(runners, name))
      throw new Error(`unknown runtime ${name}; runtimes are ${Object.keys(runners).join(", ")}`);
    const missing = await missingRuntime(name);
    if (missing !== undefined) console.log(`${name}: NOT RUN: needs ${missing}`);
    const failed = missing === undefined ? (await runExamples(name)).failed : 0;
    if (failed > 0 || (missing !== undefined && process.env.CI === "true")) process.exitCode = 1;
  }
}
