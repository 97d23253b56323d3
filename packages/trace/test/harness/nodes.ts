/** The lines of Node that are installed: this one, and those in the cache folder. */
import { execFileSync } from "node:child_process";
import { findRuntime } from "@moonpack/tools/runtimes";

/** A Node to run programs with. */
export interface FoundNode {
  readonly executable: string;
  readonly version: string;
  readonly major: number;
}

/** Node 20, 22 and 24, as far as they are installed (`node scripts/runtimes.mjs node-22` installs one), and this one. */
export async function installedNodes(): Promise<FoundNode[]> {
  const found = await Promise.all([20, 22, 24].map((major) => findRuntime(`node-${major}`)));
  const own = { executable: process.execPath, version: process.versions.node };
  const nodes = found.filter((node) => node !== undefined);
  if (!nodes.some(({ version }) => version === own.version)) nodes.push(own);
  return nodes.map(({ executable, version }) => ({ executable, version, major: Number(version.split(".")[0]) }));
}

/** Runs a program, an ES module or a CommonJS one, and returns what it prints as JSON. */
export function run(
  node: FoundNode,
  program: string,
  type: "module" | "commonjs" = "module",
  flags: readonly string[] = [],
): unknown {
  const args = [...flags, `--input-type=${type}`, "--no-warnings", "-e", program];
  const cwd = new URL("../..", import.meta.url); // the package finds itself by its name
  return JSON.parse(execFileSync(node.executable, args, { encoding: "utf8", cwd, timeout: 60_000 }));
}
