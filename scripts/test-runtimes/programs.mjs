// Runs the bundled suites in programs: Node, Deno, Bun, and workerd, the edge's runtime, which is asked over loopback.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { get } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { bundleSuites, starterOf } from "./bundle.mjs";

/** How long a runtime may take for all suites. */
export const PATIENCE_MS = 600_000;
const MARK = "moonpack report: ";
const COMPATIBILITY = "2026-01-01";

/** The bundle that programs run in a project whose node_modules has the library, as users have it. */
export async function bundleForPrograms(project) {
  await bundleSuites({ outfile: join(project, "suites.mjs") });
  const deliver = `console.log(${JSON.stringify(MARK)} + JSON.stringify(report));`;
  writeFileSync(join(project, "start.mjs"), starterOf("suites.mjs", deliver));
}

/** Runs it with these arguments in front of the module; answers its report. */
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

/** The library and the suites as one worker, by the library's conditions for workerd; the report is its response. */
export async function runWorkerd(executable, project) {
  await bundleSuites({ outfile: join(project, "workerd-suites.mjs"), inside: ["workerd", "worker"], minify: true });
  const worker = `import { canGenerate, run } from "./workerd-suites.mjs";
export default {
  async fetch() {
    return Response.json({ canGenerate: canGenerate(), suites: await run((suite) => console.log(suite)) });
  },
};`;
  writeFileSync(join(project, "worker.mjs"), worker);
  writeFileSync(join(project, "worker.capnp"), workerConfig(["worker.mjs", "workerd-suites.mjs"]));
  const child = spawn(executable, ["serve", "worker.capnp", "--control-fd=3"], {
    cwd: project,
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  try {
    const ended = new Promise((_, reject) =>
      child.on("error", reject).on("exit", (status) => reject(new Error(`workerd ended with ${status}`))),
    );
    const port = await Promise.race([portOf(child.stdio[3]), ended]);
    return JSON.parse(await Promise.race([answerOf(port), ended]));
  } catch (error) {
    child.kill();
    await Promise.race([output, sleep(1000)]);
    throw new Error(`${error.message}\n${(await output).map(tail).join("")}`);
  } finally {
    child.kill();
  }
}

/** Not by `fetch`, which waits five minutes for an answer and no longer. */
async function answerOf(port) {
  const request = get({ host: "127.0.0.1", port, timeout: PATIENCE_MS });
  request.on("timeout", () => request.destroy(new Error("workerd did not answer")));
  const [response] = await once(request, "response");
  const answer = await text(response);
  if (response.statusCode !== 200) throw new Error(`workerd answered ${response.statusCode}: ${answer}`);
  return answer;
}

function workerConfig(modules) {
  const embedded = modules.map((name) => `(name = "${name}", esModule = embed "${name}")`).join(", ");
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "suites", worker = .worker)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "suites")],
);
const worker :Workerd.Worker = (modules = [${embedded}], compatibilityDate = "${COMPATIBILITY}");
`;
}

/** What it writes to its control channel once it listens. */
async function portOf(channel) {
  let said = "";
  for await (const chunk of channel) {
    said += chunk;
    for (const line of said.split("\n").slice(0, -1)) {
      const { event, port } = JSON.parse(line);
      if (event === "listen") return port;
    }
  }
  throw new Error("workerd did not listen");
}

const tail = (output) => output.slice(-3000);
