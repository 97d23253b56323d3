/** Programs of ../programs, run in the lines of Node that are installed. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { FoundNode } from "./nodes.ts";

/** Runs a program, and returns what it prints as JSON. */
export async function runProgram(node: FoundNode, name: string, args: readonly string[] = []): Promise<unknown> {
  const path = fileURLToPath(new URL(`../programs/${name}`, import.meta.url));
  const all = ["--no-warnings", "--expose-gc", path, ...args];
  const { stdout } = await promisify(execFile)(node.executable, all, { timeout: 580_000, maxBuffer: 1 << 26 });
  return JSON.parse(stdout);
}
