// Runs the bundled suites in programs: Node, Deno, Bun, and workerd, which is requested over loopback.
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { askWorker } from "../workerd.mjs";
import { bundleSuites, starterOf } from "./bundle.mjs";

/** Time limit for all suites in one runtime. */
export const PATIENCE_MS = 600_000;
const MARK = "moonpack report: ";

/** Writes the bundle for programs to a project in whose node_modules the library is installed. */
export async function bundleForPrograms(project) {
  await bundleSuites({ outfile: join(project, "suites.mjs") });
  const deliver = `console.log(${JSON.stringify(MARK)} + JSON.stringify(report));`;
  writeFileSync(join(project, "start.mjs"), starterOf("suites.mjs", deliver));
}

/** Runs it with these arguments before the module. Returns its report. */
export async function runProgram(executable, args, project) {
  const child = spawn(executable, [...args, "start.mjs"], {
    cwd: project,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: PATIENCE_MS,
    env: { ...process.env, NODE_OPTIONS: "", NO_COLOR: "1", DENO_NO_PROMPT: "1", DENO_NO_UPDATE_CHECK: "1" },
  });
  const ended = new Promise((resolve, reject) => child.on("error", reject).on("close", (...how) => resolve(how)));
  const [output, errors, how] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  const line = output.split("\n").find((one) => one.startsWith(MARK));
  if (line === undefined) throw new Error(`no report, exit ${how.join(" ")}\n${tail(output)}${tail(errors)}`);
  return JSON.parse(line.slice(MARK.length));
}

/**
 * Bundles the library and the suites as one worker, with the library's conditions for workerd. The response is the
 * report.
 */
export async function runWorkerd(executable, project) {
  await bundleSuites({ outfile: join(project, "workerd-suites.mjs"), inside: ["workerd", "worker"], minify: true });
  const worker = `import { canGenerate, run } from "./workerd-suites.mjs";
export default {
  async fetch() {
    return Response.json({ canGenerate: canGenerate(), suites: await run((suite) => console.log(suite)) });
  },
};`;
  writeFileSync(join(project, "worker.mjs"), worker);
  const { body } = await askWorker(executable, project, ["worker.mjs", "workerd-suites.mjs"], PATIENCE_MS);
  return JSON.parse(body);
}

const tail = (output) => output.slice(-3000);
