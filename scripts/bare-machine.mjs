// node scripts/bare-machine.mjs: runs the README's two commands as a newcomer's machine does: in a fresh clone of the last
// commit, with a PATH of node, npm and git (and the shell that npm starts), an empty home and npm cache, and without root.
// `-- start` or `-- test` runs one of the two.
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { root } from "../tools/src/setup.mjs";

const PROGRAMS = ["node", "npm", "git", "sh"];
/** Variables that say how this machine reaches npm's registry: a mirror, a proxy, certificates. */
const NETWORK =
  /^(?:(?:https?|no|all)_proxy|node_extra_ca_certs|ssl_cert_(?:file|dir)|npm_config_(?:registry|cafile|ca|proxy|https_proxy))$/i;
/** The user with the fewest rights, who runs the commands if this process has root's rights. */
const UNPRIVILEGED = 65534;
/** Lines of a failed command's end that are repeated. */
const LAST_LINES = 60;

/** The file that a shell would start for a command. */
function inPath(command) {
  const found = process.env.PATH.split(delimiter)
    .map((folder) => join(folder, command))
    .find(existsSync);
  if (found === undefined) throw new Error(`${command} must be in PATH`);
  return realpathSync(found);
}

/** The environment of the bare machine, whose files are in `folder`. */
function bareEnvironment(folder) {
  const bin = join(folder, "bin");
  const home = join(folder, "home");
  for (const made of [bin, home, join(folder, "tmp")]) mkdirSync(made);
  for (const command of PROGRAMS)
    symlinkSync(command === "node" ? process.execPath : inPath(command), join(bin, command));
  const registry = spawnSync("npm", ["config", "get", "registry"], { cwd: root, encoding: "utf8" }).stdout.trim();
  const network = Object.entries(process.env).filter(([name]) => NETWORK.test(name));
  return {
    ...Object.fromEntries(network),
    npm_config_registry: registry,
    PATH: bin,
    HOME: home,
    TMPDIR: join(folder, "tmp"),
    LANG: "C.UTF-8",
  };
}

/** Runs a command to its end with its output shown. Returns its exit code and the end of its output. */
async function run(title, command, args, options) {
  console.log(`\n${title}`);
  const begun = performance.now();
  const child = spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  const lines = [];
  const show = (line) => {
    lines.push(line);
    // A prefix, so that the caller does not count these lines as its own results.
    console.log(`| ${line}`);
  };
  for (const stream of [child.stdout, child.stderr]) createInterface(stream).on("line", show);
  const status = await new Promise((resolve) => {
    child.on("close", resolve);
    child.on("error", (error) => {
      show(`${error.message}: can other users than root run this Node and read its npm?`);
      resolve(error.code);
    });
  });
  const seconds = ((performance.now() - begun) / 1000).toFixed(0);
  console.log(`${title}: exit ${status} after ${seconds} s`);
  return { status, end: lines.slice(-LAST_LINES) };
}

const asRoot = process.getuid?.() === 0;
const folder = mkdtempSync(join(tmpdir(), "moonpack-bare-"));
try {
  chmodSync(folder, 0o755);
  const clone = join(folder, "moonpack");
  const env = bareEnvironment(folder);
  const cloned = spawnSync("git", ["clone", "--quiet", root, clone], { stdio: "inherit" });
  if (cloned.status !== 0) throw new Error("git clone failed");
  if (asRoot)
    spawnSync("chown", ["-R", `${UNPRIVILEGED}:${UNPRIVILEGED}`, clone, env.HOME, env.TMPDIR], { stdio: "inherit" });
  const options = { cwd: clone, env, ...(asRoot ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {}) };
  for (const name of process.argv.length > 2 ? process.argv.slice(2) : ["start", "test"]) {
    const { status, end } = await run(`npm ${name} on a bare machine`, join(env.PATH, "npm"), [name], options);
    if (status === 0) continue;
    console.log(
      `\nnpm ${name} failed on a bare machine. The end of its output:\n${end.map((line) => `| ${line}`).join("\n")}`,
    );
    process.exitCode = 1;
    break;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
