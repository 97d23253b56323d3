// Other runtimes: Deno, Bun, workerd, browsers, other lines of Node, members of Hazelcast, servers of Redis and Prometheus. Tests install
// nothing; they call `findRuntime`. npm packages are installed in the user's cache folder, never in the repository, and Debian's package of
// Prometheus is unpacked there: an installed one would start a server. Browsers and Redis are system packages.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, realpathSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { installJars, memberParts } from "./hazelcast.mjs";

const isWindows = process.platform === "win32";

/**
 * For each runtime: `find`, which returns `{ executable, version }` or undefined, and `install`, which throws if it
 * cannot.
 */
const runtimes = {
  deno: npmPackage({ name: "deno", range: "2", program: isWindows ? "deno/deno.exe" : ".bin/deno" }),
  bun: npmPackage({ name: "bun", range: "1", program: isWindows ? "bun/bin/bun.exe" : ".bin/bun" }),
  workerd: npmPackage({ name: "workerd", range: "1", program: isWindows ? "workerd/bin/workerd.exe" : ".bin/workerd" }),
  chromium: debianPackage({
    packages: ["chromium", "fonts-liberation"],
    programs: ["chromium", "chromium-browser", "google-chrome"],
  }),
  firefox: debianPackage({ packages: ["firefox-esr"], programs: ["firefox-esr", "firefox"] }),
  redis: debianPackage({ packages: ["redis-server"], programs: ["redis-server"] }),
  prometheus: unpackedPackage("prometheus", "usr/bin/prometheus"),
  hazelcast: hazelcastMember(),
  ...Object.fromEntries([20, 22, 24, 26].map((major) => [`node-${major}`, nodeOf(major)])),
};

/** The path and version of a runtime; undefined if it is not installed or does not start. */
export async function findRuntime(name) {
  return runtimes[name].find();
}

/** The missing part of a runtime, with the command that installs it; undefined if the runtime is installed. */
export async function missingRuntime(name) {
  return (await findRuntime(name)) === undefined
    ? `${name} (to install it: node scripts/runtimes.mjs ${name})`
    : undefined;
}

/** The runtime that a test needs. Where it is missing, the test does not run, which is a failure with CI=true. */
export async function runtimeFor({ skip }, name) {
  const found = await findRuntime(name);
  if (found !== undefined) return found;
  const note = `NOT RUN: needs ${await missingRuntime(name)}`;
  console.warn(note);
  return skip(note);
}

/** A line of Node: this Node, the one in PATH, or the package named node. */
function nodeOf(major) {
  const program = isWindows ? "node/bin/node.exe" : "node/bin/node";
  const isOfLine = ({ version }) => version.startsWith(`${major}.`);
  const installed = npmPackage({ name: "node", range: `${major}`, program, folderName: `node-${major}`, isOfLine });
  const own = { executable: process.execPath, version: process.versions.node };
  return isOfLine(own) ? { ...installed, find: async () => own } : installed;
}

/** A program in PATH, or else the one of an npm package in its own cache folder. */
function npmPackage({ name, range, program, folderName = name, isOfLine = () => true }) {
  const folder = () => cacheFolder(folderName);
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
      // Without `--prefix`, npm installs into the next folder above that has a package.json. Bun needs its postinstall
      // script, which links the program for this machine.
      const args = ["install", "--prefix", ".", "--no-save", "--ignore-scripts=false", ...quiet, `${name}@${range}`];
      run("npm", args, { cwd, shell: isWindows }); // on Windows npm is a batch file, which needs a shell
    },
  };
}

/** A program in PATH that Debian and similar systems have as a package. */
function debianPackage({ packages, programs }) {
  return {
    find: async () => inPath(programs),
    async install() {
      const wanted = `${programs.join(" or ")} must be in PATH`;
      if (inPath(["apt-get"]) === undefined) throw new Error(`${wanted}: install it by hand`);
      if (process.getuid() !== 0) throw new Error(`${wanted}: run as root: apt-get install ${packages.join(" ")}`);
      const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
      run("apt-get", ["update", "-qq"], { env });
      run("apt-get", ["install", "-y", "-qq", ...packages], { env });
    },
  };
}

/** A program in PATH, or else the one of a Debian package that is unpacked in its own cache folder. */
function unpackedPackage(name, program) {
  return {
    find: async () => inPath([name]) ?? started(join(await cacheFolder(name), program)),
    async install() {
      const cwd = await cacheFolder(name);
      mkdirSync(cwd, { recursive: true });
      if (inPath(["apt-get"]) === undefined) throw new Error(`${name} must be in PATH: install it by hand`);
      if (process.getuid() === 0) run("apt-get", ["update", "-qq"], {});
      run("apt-get", ["download", "-qq", name], { cwd });
      for (const file of readdirSync(cwd)) if (file.endsWith(".deb")) run("dpkg", ["-x", file, "."], { cwd });
    },
  };
}

/** Returns the folder for a runtime in the user's cache. */
async function cacheFolder(name) {
  // Imported late: it needs the installed packages.
  const { default: envPaths } = await import("env-paths");
  return join(envPaths("moonpack", { suffix: "" }).cache, name);
}

/** A Hazelcast member: Java from PATH or the system's packages, the rest by Maven. */
function hazelcastMember() {
  const java = debianPackage({ packages: ["default-jdk-headless"], programs: ["javac"] });
  const maven = debianPackage({ packages: ["maven"], programs: ["mvn"] });
  return {
    find: () => memberParts(inPath),
    async install() {
      for (const each of [java, maven]) if ((await each.find()) === undefined) await each.install();
      await installJars(run);
    },
  };
}

/** The first of the programs that is in PATH and starts. */
function inPath(names) {
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  for (const name of names)
    for (const folder of folders) {
      const found = started(resolve(folder, isWindows ? `${name}.exe` : name));
      if (found !== undefined) return found;
    }
  return undefined;
}

/** A file of that name may be something else, such as a hint to install a package. It counts if it prints its version. */
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
  const output = `${stdout ?? ""}${stderr ?? ""}${error?.message ?? ""}`.trim();
  throw new Error(`${command} ${args.join(" ")} failed\n${output}`);
}

/** True if this module was started, not imported. */
export function isCommand(url) {
  const [, started] = process.argv;
  return started !== undefined && realpathSync(started) === fileURLToPath(url);
}

/**
 * Installs the named runtimes that are missing, or all; prints the path of each. Sets the exit code if one cannot be
 * installed.
 */
export async function installMissing(names) {
  for (const name of names.length > 0 ? names : Object.keys(runtimes)) {
    try {
      if (!Object.hasOwn(runtimes, name))
        throw new Error(`is unknown; runtimes are ${Object.keys(runtimes).join(", ")}`);
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
