import { execFile } from "node:child_process";
import { access, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import envPaths from "env-paths";

/** A version of Node to measure with. */
export interface NodeVersion {
  /** As in `process.versions.node`. */
  readonly version: string;
  readonly executable: string;
}

const run = promisify(execFile);

/**
 * The newest Node of a major version: this one, or one from the npm package `node`, which is installed in the user's cache on
 * first use. Undefined if it cannot be installed.
 */
export async function findNode(major: number): Promise<NodeVersion | undefined> {
  const own = process.versions.node;
  if (Number.parseInt(own, 10) === major) return { version: own, executable: process.execPath };
  const folder = join(envPaths("moonpack", { suffix: "" }).cache, `node-${major}`);
  const executable = join(folder, "node_modules/node/bin", process.platform === "win32" ? "node.exe" : "node");
  try {
    if (!(await exists(executable))) await install(`node@${major}`, folder);
    const { stdout } = await run(executable, ["--print", "process.versions.node"]);
    return { version: stdout.trim(), executable };
  } catch {
    return undefined;
  }
}

async function install(what: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  await run(npm, ["install", "--prefix", folder, "--no-save", "--no-audit", "--no-fund", what]);
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
