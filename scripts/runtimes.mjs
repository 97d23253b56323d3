// node scripts/runtimes.mjs [NAME ..]: installs what the tests need beside this Node and is not here yet: everything, or
// what is named. The tests themselves install nothing; they ask `findRuntime`.
// Packages of npm go to the user's cache folder, never into the repository. Browsers are the system's packages.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, realpathSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureInstalled } from "./setup.mjs";

const isWindows = process.platform === "win32";

/** What each can do: `find` itself, as `{ executable, version }` or undefined, and `install`, which throws why it can't. */
const runtimes = {
  deno: npmPackage({ name: "deno", range: "2", program: isWindows ? "deno/deno.exe" : ".bin/deno" }),
  bun: npmPackage({ name: "bun", range: "1", program: isWindows ? "bun/bin/bun.exe" : ".bin/bun" }),
  workerd: npmPackage({ name: "workerd", range: "1", program: isWindows ? "workerd/bin/workerd.exe" : ".bin/workerd" }),
  chromium: debianPackage({
    packages: ["chromium", "fonts-liberation"],
    programs: ["chromium", "chromium-browser", "google-chrome"],
  }),
  firefox: debianPackage({ packages: ["firefox-esr"], programs: ["firefox-esr", "firefox"] }),
  ...Object.fromEntries([20, 22, 24, 26].map((major) => [`node-${major}`, nodeOf(major)])),
};

/** Where a runtime is and what it says of its version; undefined when it is not installed, or does not start. */
export async function findRuntime(name) {
  return runtimes[name].find();
}

/** What is missing, in the words of a test that cannot run; undefined when the runtime is there. */
export async function missingRuntime(name) {
  return (await findRuntime(name)) === undefined
    ? `${name} (to install it: node scripts/runtimes.mjs ${name})`
    : undefined;
}

/** One of Node's lines: this very Node, the one in PATH, or the one of the package named node. */
function nodeOf(major) {
  const program = isWindows ? "node/bin/node.exe" : "node/bin/node";
  const isOfLine = ({ version }) => version.startsWith(`${major}.`);
  const installed = npmPackage({ name: "node", range: `${major}`, program, folderName: `node-${major}`, isOfLine });
  const own = { executable: process.execPath, version: process.versions.node };
  return isOfLine(own) ? { ...installed, find: async () => own } : installed;
}

/** A program of that name in PATH, or else the one of the package, in a folder of its own in the cache. */
function npmPackage({ name, range, program, folderName = name, isOfLine = () => true }) {
  const folder = async () => {
    // Not before `ensureInstalled` has run.
    const { default: envPaths } = await import("env-paths");
    return join(envPaths("moonpack", { suffix: "" }).cache, folderName);
  };
  return {
    async find() {
      const found = inPath([name]);
      if (found !== undefined && isOfLine(found)) return found;
      return started(join(await folder(), "node_modules", program));
    },
    async install() {
      const cwd = await folder();
      mkdirSync(cwd, { recursive: true });
      const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
      // `--prefix`: without it npm installs into the next folder above that has a package.json. Bun is nothing without
      // its postinstall script, which links the program for this machine.
      const args = ["install", "--prefix", ".", "--no-save", "--ignore-scripts=false", ...quiet, `${name}@${range}`];
      run("npm", args, { cwd, shell: isWindows }); // on Windows npm is a batch file, which only a shell can start
    },
  };
}

/** A program in PATH, that Debian and its like have as a package. */
function debianPackage({ packages, programs }) {
  return {
    find: async () => inPath(programs),
    async install() {
      const wanted = `one of ${programs.join(", ")} has to be in PATH`;
      if (inPath(["apt-get"]) === undefined) throw new Error(`${wanted}: please install it by hand`);
      if (process.getuid() !== 0) throw new Error(`${wanted}: as root, apt-get install ${packages.join(" ")}`);
      const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
      run("apt-get", ["update", "-qq"], { env });
      run("apt-get", ["install", "-y", "-qq", ...packages], { env });
    },
  };
}

/** The first of the programs that PATH has and that starts. */
function inPath(names) {
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  for (const name of names)
    for (const folder of folders) {
      const found = started(resolve(folder, isWindows ? `${name}.exe` : name));
      if (found !== undefined) return found;
    }
  return undefined;
}

/** A file of the right name may be anything, as the hint to install a package: it counts if it tells its version. */
function started(executable) {
  if (!existsSync(executable)) return undefined;
  const { status, stdout } = spawnSync(executable, ["--version"], { encoding: "utf8", timeout: 60_000 });
  const version = /\d+([.-]\d+)+/.exec(stdout ?? "")?.[0];
  return status === 0 && version !== undefined ? { executable, version } : undefined;
}

function run(command, args, options) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    encoding: "utf8",
    timeout: 900_000,
    ...options,
  });
  if (status === 0) return;
  const said = `${stdout ?? ""}${stderr ?? ""}${error?.message ?? ""}`.trim();
  throw new Error(`${command} ${args.join(" ")} failed\n${said}`);
}

/** Was this module started, rather than imported? */
export function isCommand(url) {
  const [, started] = process.argv;
  return started !== undefined && realpathSync(started) === fileURLToPath(url);
}

async function installMissing(names) {
  for (const name of names) {
    try {
      if (!Object.hasOwn(runtimes, name)) throw new Error(`is none of ${Object.keys(runtimes).join(", ")}`);
      const isThere = (await findRuntime(name)) !== undefined;
      if (!isThere) {
        console.log(`${name}: installing`);
        await runtimes[name].install();
      }
      const found = await findRuntime(name);
      if (found === undefined) throw new Error("was installed, but does not start");
      console.log(`${name} ${found.version}: ${found.executable}`);
    } catch (error) {
      console.error(`${name}: ${error.message}`);
      process.exitCode = 1;
    }
  }
}

if (isCommand(import.meta.url)) {
  ensureInstalled();
  const names = process.argv.slice(2);
  await installMissing(names.length > 0 ? names : Object.keys(runtimes));
}
