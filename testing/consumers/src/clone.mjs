// The first steps of a newcomer in a clone of the last commit: the commands in the README of each example, from its first line on,
// and the line of `npm run pack`, in a copy of an example outside the clone.
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findRuntime, missingRuntime } from "@moonpack/tools/runtimes";
import { root } from "@moonpack/tools/setup";
import { run } from "./run.mjs";
import { Shell } from "./shell.mjs";

/** The first command of every example, once in a clone. */
const BUILD = "npm run build";
/** Ports in the examples. Free ones are used instead. */
const PORTS = ["3000", "6379", "7000", "8080", "8090", "9090"];
/** The example that is copied out of the clone: it has packages of ours and of others. */
const COPIED = "http-express";

/** Runs everything. Returns what does not work. */
export async function checkClone() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "moonpack-clone-")));
  try {
    const clone = join(folder, "moonpack");
    const cloned = spawnSync("git", ["clone", "--quiet", root, clone], { encoding: "utf8" });
    if (cloned.status !== 0) return [cloned.stderr];
    const names = readdirSync(join(clone, "examples"));
    const faults = names.flatMap((name) => undeclared(join(clone, "examples", name), name));
    const built = await shellLine(BUILD, clone);
    if (built.status !== 0) return [...faults, `${BUILD}: exit ${built.status}\n${built.stdout}${built.stderr}`];
    for (const name of names) faults.push(...(await exampleFaults(clone, name)));
    return [...faults, ...(await copyFaults(clone, join(folder, "copy")))];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Installing and building take a minute, and ten where other tests run beside them. */
const shellLine = (line, cwd) => run("sh", ["-c", line], { cwd, env: environment(), timeout: 1_200_000 });

/** A newcomer's shell does not have what `npm run check:packages` set for npm, nor what Vite set (NODE_ENV omits devDependencies). */
function environment() {
  const ours = ([name]) =>
    !/^(?:npm_(?!config_(?:registry|.*proxy|ca))|INIT_CWD$|NODE_ENV$|NODE_OPTIONS$|CI$)/i.test(name);
  return { ...Object.fromEntries(Object.entries(process.env).filter(ours)), NO_COLOR: "1" };
}

/** The commands of the first block of an example's README: after BUILD and `cd`, which all examples begin with. */
function commandsOf(clone, name) {
  const text = readFileSync(join(clone, "examples", name, "README.md"), "utf8");
  const [, block = ""] = /^```sh\n([\s\S]*?)^```$/m.exec(text) ?? [];
  const [first, second, ...rest] = block
    .trimEnd()
    .split("\n")
    .map((line) => line.replace(/\s+#.*$/, ""));
  if (first === BUILD && second === `cd examples/${name}` && rest.length > 0) return rest;
  throw new Error(`examples/${name}/README.md: the first commands must be "${BUILD}" and "cd examples/${name}"`);
}

async function exampleFaults(clone, name) {
  const cwd = join(clone, "examples", name);
  const ports = new Map(await Promise.all(PORTS.map(async (port) => [port, await freePort()])));
  const here = (text) => text.replace(/\b\d{4}\b/g, (port) => ports.get(port) ?? port);
  const commands = commandsOf(clone, name);
  for (const path of filesOf(cwd)) writeFileSync(path, here(readFileSync(path, "utf8")));
  const shell = new Shell(cwd, environment(), [...ports.values()]);
  try {
    if (commands.some((line) => line.includes("redis://")))
      await shell.run(`${await programOf("redis")} --port ${ports.get("6379")} --save "" &`);
    for (const line of commands) await shell.run(here(line));
    return [];
  } catch (error) {
    return [`examples/${name}: ${error.message}`];
  } finally {
    await shell.end();
  }
}

/** A copy outside the clone: the line of `npm run pack`, then the example's commands. */
async function copyFaults(clone, copy) {
  const packed = await shellLine("npm run --silent pack", clone);
  const lines = packed.stdout.trimEnd().split("\n");
  if (packed.status !== 0 || lines.length !== 1) return [`npm run pack: exit ${packed.status}\n${packed.stderr}`];
  cpSync(join(clone, "examples", COPIED), join(copy, "examples", COPIED), { recursive: true });
  const installed = await shellLine(lines[0], join(copy, "examples", COPIED));
  if (installed.status !== 0) return [`${lines[0]}: exit ${installed.status}\n${installed.stdout}${installed.stderr}`];
  return (await exampleFaults(copy, COPIED)).map((fault) => `a copy of ${fault}`);
}

/** Packages that an example imports and its package.json lacks: the clone has them, a copy does not. */
function undeclared(folder, name) {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const declared = new Set(Object.keys({ ...dependencies, ...devDependencies }));
  const imported = filesOf(folder)
    .filter((path) => /\.[jt]s$/.test(path))
    .flatMap((path) => [
      ...readFileSync(path, "utf8").matchAll(/\b(?:from|import\(?)\s*"((?:@[^/"]+\/)?[^./"][^/"]*)/g),
    ])
    .map(([, from]) => from)
    .filter((from) => !from.startsWith("node:") && !declared.has(from));
  return [...new Set(imported)].map((from) => `examples/${name}/package.json lacks ${from}`);
}

/** The text files of an example. */
function filesOf(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => ({ entry, path: join(entry.parentPath, entry.name) }))
    .filter(({ entry, path }) => entry.isFile() && !path.includes("node_modules") && /\.(?:[jt]s|html|go)$/.test(path))
    .map(({ path }) => path);
}

async function programOf(name) {
  const missing = await missingRuntime(name);
  if (missing !== undefined) throw new Error(`needs ${missing}`);
  return (await findRuntime(name)).executable;
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return String(port);
}
