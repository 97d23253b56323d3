// Installs packages and builds sources, as every command at the root needs. Does nothing if nothing has changed.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeGuides } from "./guides.mjs";

/** The repository's folder. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

const installed = join(root, "node_modules/.package-lock.json");
const lock = join(root, "package-lock.json");
const built = join(root, "node_modules/.cache/moonpack/built");
/** Scripts that write the run times of emitted code, and the sources of the run time in Go. */
const emittedRuntimes = join(root, "tools/src/emitted-runtimes");
const goRuntime = join(root, "go/pck");

/** Installs the packages of package-lock.json, unless that has been done since its last change. */
export function ensureInstalled() {
  if (changedAt(installed) >= changedAt(lock)) return;
  if (existsSync(installed) && holdsEverything()) {
    // The lock file was rewritten without changes: mark it as installed instead of installing the same again.
    utimesSync(installed, new Date(), new Date());
    return;
  }
  const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
  // npm ci rejects a lock file that does not list the optional packages of every platform, as one created behind a
  // mirror may
  // not. npm install also uses the versions of the lock file, and --no-save leaves the file unchanged.
  step("installing packages (about half a minute)", npm("ci", ...quiet), npm("install", "--no-save", ...quiet));
}

/** Builds every package if a source is newer than the last build. */
export function ensureBuilt() {
  if (isBuilt()) return;
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  ensureRuntimesWritten();
  step("building (about half a minute)", [process.execPath, [tsc, "-b", join(root, "tsconfig.json")]]);
  bundle();
  writeGuides(root); // the help of commands names them
  mkdirSync(dirname(built), { recursive: true });
  writeFileSync(built, "");
}

/** Bundles the packages whose compiled files, or whose list of entries, have changed (tsdown.config.mjs). */
function bundle() {
  const config = join(root, "tsdown.config.mjs");
  const packages = workspaces().filter((folder) => existsSync(join(folder, "bundle.json")));
  const stale = packages.filter((folder) => {
    const mark = changedAt(join(folder, "dist"));
    const sources = [config, installed, ...["bundle.json", "package.json", "build"].map((name) => join(folder, name))];
    return sources.some((path) => newest(path) > mark);
  });
  if (stale.length === 0) return;
  for (const folder of stale) rmSync(join(folder, "dist"), { recursive: true, force: true });
  const names = stale.map((folder) => basename(folder));
  step(`bundling ${names.length} packages`, tsdown({ MOONPACK_ONLY: names.join(",") }));
}

/** Writes files that are packed beside the bundles: dist/browser of packages that run in pages, and guides. */
export function buildForPages() {
  writeGuides(root);
  step("bundling for pages", tsdown({ MOONPACK_PASS: "pages" }));
}

function tsdown(env) {
  return [
    process.execPath,
    [join(root, "node_modules/tsdown/dist/run.mjs"), "--config", "tsdown.config.mjs", "--config-loader", "native"],
    env,
  ];
}

/** Writes generated sources that are not committed. Every compilation of the sources calls this first. */
export function ensureRuntimesWritten() {
  step("writing the run times of emitted code", [process.execPath, [join(emittedRuntimes, "write.mjs")]]);
}

/** A cheap check: compares the sources and the build's settings with the mark of the last build. */
function isBuilt() {
  const { references } = JSON.parse(readFileSync(join(root, "tsconfig.json"), "utf8"));
  const sources = references.map(({ path }) => join(root, path));
  if (!sources.every((folder) => existsSync(join(folder, "dist")))) return false;
  const watched = [
    join(root, "tsconfig.base.json"),
    join(root, "tsconfig.json"),
    join(root, "tsconfig.packages.json"),
    join(root, "tsdown.config.mjs"),
    installed,
    emittedRuntimes,
    goRuntime,
  ];
  for (const folder of sources)
    watched.push(...["src", "tsconfig.json", "package.json", "bundle.json"].map((name) => join(folder, name)));
  const mark = changedAt(built);
  return watched.every((path) => newest(path) <= mark);
}

/** The folders of all packages: the shipped ones, and those that prove them. */
export function workspaces() {
  return ["packages", "testing"].flatMap((room) => readdirSync(join(root, room)).map((name) => join(root, room, name)));
}

/** The latest change of a file, or of any file in a folder. */
function newest(path) {
  if (!existsSync(path)) return 0;
  const status = statSync(path);
  if (!status.isDirectory()) return status.mtimeMs;
  const inside = readdirSync(path).map((name) => newest(join(path, name)));
  return Math.max(status.mtimeMs, ...inside);
}

function changedAt(path) {
  return existsSync(path) ? statSync(path).mtimeMs : 0;
}

/** True if the packages of the lock file are installed. Optional ones depend on the machine. */
function holdsEverything() {
  const wanted = JSON.parse(readFileSync(lock, "utf8")).packages;
  const present = JSON.parse(readFileSync(installed, "utf8")).packages;
  return Object.entries(wanted).every(([path, { version, optional, devOptional, link }]) => {
    if (optional || devOptional || !path.startsWith("node_modules/")) return true;
    return link ? present[path]?.link === true : present[path]?.version === version;
  });
}

/** How to start npm: by the path that npm passes to its scripts, otherwise by its name. */
export function npm(...args) {
  const { npm_execpath: path } = process.env;
  if (path !== undefined && /\bnpm-cli\.c?js$/.test(path)) return [process.execPath, [path, ...args]];
  return ["npm", args];
}

/** Runs the first of these commands that works. Prints a line before and after it, and the whole output on failure. */
function step(what, ...ways) {
  console.error(`${what} ..`);
  const begun = performance.now();
  let output = "";
  for (const [command, args, env] of ways) {
    const { status, stdout, stderr, error } = spawnSync(command, args, {
      cwd: root,
      encoding: "utf8",
      env: { ...process.env, ...env },
      // On Windows npm is a batch file, which needs a shell.
      shell: command === "npm" && process.platform === "win32",
    });
    if (status === 0) {
      console.error(`${what}: done in ${((performance.now() - begun) / 1000).toFixed(1)} s`);
      return;
    }
    output += `${stdout ?? ""}${stderr ?? ""}${error?.message ?? ""}`;
  }
  console.error(`${what} failed\n${output}`);
  process.exit(1);
}
