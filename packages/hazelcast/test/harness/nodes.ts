/** The lines of Node that are installed: this one, and those in the cache folder. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { findRuntime } from "@moonpack/tools/runtimes";

/** A Node to run programs with. */
export interface FoundNode {
  readonly executable: string;
  readonly version: string;
}

/** Node 20, 22 and 24, as far as they are installed (`node scripts/runtimes.mjs node-22` installs one). */
export async function installedNodes(): Promise<FoundNode[]> {
  const found = await Promise.all(["20", "22", "24"].map((major) => findRuntime(`node-${major}`)));
  return found.filter((node) => node !== undefined);
}

/** Runs a program in a folder, and returns what it prints as JSON. */
export async function runJson(node: FoundNode, cwd: string, args: readonly string[]): Promise<unknown> {
  const { stdout } = await promisify(execFile)(node.executable, args, { cwd, timeout: 60_000, encoding: "utf8" });
  return JSON.parse(stdout);
}
