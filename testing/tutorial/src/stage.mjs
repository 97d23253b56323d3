// The TypeScript part of docs/pck-tutorial.md, before and after its schema change, without its commands: written to a
// folder
// and bundled, with its server started. Used by the tests of the page, and of server and client in Node.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { root } from "@moonpack/tools/setup";
import { build } from "esbuild";
import { filesOf, tutorialSteps } from "./steps.mjs";

/** The port in the page. */
const PORT = "8080";

/** The project's files before the schema change, and at the end. */
export function versions() {
  const steps = tutorialSteps();
  const isChange = ({ commands = [] }) => commands.some(({ command }) => command.startsWith("cp src/weather.ts "));
  const change = steps.findIndex(isChange);
  if (change < 0) throw new Error("docs/pck-tutorial.md: no command changes the schema");
  return { before: filesOf(steps.slice(0, change)), after: filesOf(steps) };
}

/** Writes the files of a version to a folder, emits its code for pages and bundles its programs into `out`. */
export async function stage(folder, files, port, out) {
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text.replaceAll(PORT, port));
  }
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "junction");
  const cli = join(root, "packages/cli/dist/main.js");
  const args = ["emit", "src/weather.ts", "--target", "ts", "--out", "src/generated"];
  const { INIT_CWD: _, ...env } = process.env;
  const { status, stderr } = spawnSync(process.execPath, [cli, ...args], { cwd: folder, env, encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  const common = { absWorkingDir: folder, bundle: true, format: "esm", logLevel: "warning" };
  await build({ ...common, entryPoints: { bundle: "src/page.ts" }, outdir: out });
  const programs = { server: "src/server.ts", send: "src/send.ts" };
  await build({ ...common, entryPoints: programs, outdir: out, platform: "node", external: ["moonpack"] });
}

/** Starts a version's server in its folder. Once it listens, returns a function that ends it. */
export async function startServer(folder) {
  const child = spawn(process.execPath, ["dist/server.js"], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise((resolve) => child.on("close", resolve));
  const listens = new Promise((resolve) => child.stdout.once("data", resolve));
  await Promise.race([listens, ended.then((status) => Promise.reject(new Error(`the server ended: ${status}`)))]);
  return async () => {
    child.kill();
    await ended;
  };
}

/** A free port. */
export async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return String(port);
}
