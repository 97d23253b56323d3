// The Go program: its path and its build.
import { execFile, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const SOURCE = fileURLToPath(new URL("../go", import.meta.url));
const FILES = ["go.mod", "go.sum", "main.go"];

/** The missing program for the tests; undefined if it exists or can be built. */
export async function missingProgram() {
  if (existsSync(await programPlace())) return undefined;
  return spawnSync("go", ["version"]).status === 0 ? undefined : "Go, or the cached program (npm run test:interop)";
}

/** Returns the program's path and builds it first if necessary. Throws Go's errors. */
export async function ensureProgram() {
  const place = await programPlace();
  if (existsSync(place)) return place;
  console.error("interop: building the Go program, which takes a minute");
  mkdirSync(join(place, ".."), { recursive: true });
  const fresh = `${place}.${process.pid}`;
  // Not synchronous: other parts of `npm test` run at the same time, in this process.
  await promisify(execFile)("go", ["build", "-trimpath", "-o", fresh, "."], { cwd: SOURCE, timeout: 600_000 });
  renameSync(fresh, place); // atomic: the program exists only when it is complete
  return place;
}

/** Its path in the user's cache folder. The name contains a hash of its sources. */
async function programPlace() {
  // Imported late: `npm test` imports this file before packages are installed.
  const { default: envPaths } = await import("env-paths");
  const hash = createHash("sha256");
  for (const name of FILES) hash.update(readFileSync(join(SOURCE, name)));
  const name = `interop-${hash.digest("hex").slice(0, 16)}${process.platform === "win32" ? ".exe" : ""}`;
  return join(envPaths("moonpack", { suffix: "" }).cache, "interop", name);
}
