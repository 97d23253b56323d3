/** The Go program: Prometheus' own parser and engine. */
import { execFile, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import envPaths from "env-paths";

const SOURCE = fileURLToPath(new URL("../go", import.meta.url));
const MODULE = "github.com/prometheus/prometheus";
const run = promisify(execFile);

/** True where Go is installed. */
export const hasGo = (): boolean => spawnSync("go", ["version"]).status === 0;

/** True if the program of these sources is built. */
export const isBuilt = (): boolean => existsSync(place());

/** Returns the folder of Prometheus' Go module. */
export async function moduleFolder(): Promise<string> {
  await run("go", ["mod", "download", MODULE], { cwd: SOURCE, timeout: 600_000 });
  const { stdout } = await run("go", ["list", "-m", "-f", "{{.Dir}}", MODULE], { cwd: SOURCE });
  return stdout.trim();
}

/** Returns the path of the program. Builds it if its sources have changed. */
export async function program(): Promise<string> {
  const path = place();
  if (existsSync(path)) return path;
  mkdirSync(join(path, ".."), { recursive: true });
  const fresh = `${path}.${process.pid}`;
  await run("go", ["build", "-trimpath", "-o", fresh, "."], { cwd: SOURCE, timeout: 600_000 });
  renameSync(fresh, path); // atomic: the program exists only when it is complete
  return path;
}

/** The program's path in the user's cache folder. */
function place(): string {
  const hash = createHash("sha256");
  for (const name of readdirSync(SOURCE).sort()) hash.update(readFileSync(join(SOURCE, name)));
  const name = `oracle-${hash.digest("hex").slice(0, 16)}${process.platform === "win32" ? ".exe" : ""}`;
  return join(envPaths("moonpack", { suffix: "" }).cache, "promql", name);
}
