// What every command at the root needs first: packages installed, sources built. Both do nothing when nothing changed.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The project's folder. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const installed = join(root, "node_modules/.package-lock.json");
const lock = join(root, "package-lock.json");
const built = join(root, "node_modules/.cache/moonpack/built");

/** Installs what package-lock.json says, if that has not been done since it last changed. */
export function ensureInstalled() {
  if (changedAt(installed) >= changedAt(lock)) return;
  if (existsSync(installed) && holdsEverything()) {
    // The lock file was only rewritten: remember that, rather than install the same again.
    utimesSync(installed, new Date(), new Date());
    return;
  }
  const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
  // npm ci refuses a lock file that does not name the optional packages of every platform, as one made behind a mirror
  // may not; npm install keeps to the versions of the lock file too, and --no-save leaves it as it is.
  step("installing packages", npm("ci", ...quiet), npm("install", "--no-save", ...quiet));
}

/** Builds every package, if a source is newer than the last build. */
export function ensureBuilt() {
  if (isBuilt()) return;
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  step("building", [process.execPath, [tsc, "-b", join(root, "tsconfig.json")]]);
  mkdirSync(dirname(built), { recursive: true });
  writeFileSync(built, "");
}

/** One cheap look: is any source, or anything that steers the build, newer than the mark that the last build left? */
function isBuilt() {
  const packages = readdirSync(join(root, "packages")).map((name) => join(root, "packages", name));
  const sources = packages.filter((folder) => existsSync(join(folder, "tsconfig.json")));
  if (!sources.every((folder) => existsSync(join(folder, "dist")))) return false;
  const watched = [join(root, "tsconfig.base.json"), join(root, "tsconfig.json"), installed];
  for (const folder of sources)
    watched.push(join(folder, "src"), join(folder, "tsconfig.json"), join(folder, "package.json"));
  const mark = changedAt(built);
  return watched.every((path) => newest(path) <= mark);
}

/** The newest time in a file or folder. */
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

/** Are the packages of the lock file those that are installed? Optional ones depend on the machine. */
function holdsEverything() {
  const wanted = JSON.parse(readFileSync(lock, "utf8")).packages;
  const present = JSON.parse(readFileSync(installed, "utf8")).packages;
  return Object.entries(wanted).every(([path, { version, optional, devOptional, link }]) => {
    if (optional || devOptional || !path.startsWith("node_modules/")) return true;
    return link ? present[path]?.link === true : present[path]?.version === version;
  });
}

/** How to start npm: by the path that it tells its scripts; where it did not start us, by its name. */
function npm(...args) {
  const { npm_execpath: path } = process.env;
  if (path !== undefined && /\bnpm-cli\.c?js$/.test(path)) return [process.execPath, [path, ...args]];
  return ["npm", args];
}

/** Runs one step, the first of the ways that works: a line when it went well, its whole output when it did not. */
function step(what, ...ways) {
  const begun = performance.now();
  let output = "";
  for (const [command, args] of ways) {
    const { status, stdout, stderr, error } = spawnSync(command, args, {
      cwd: root,
      encoding: "utf8",
      // On Windows npm is a batch file, which only a shell can start.
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
