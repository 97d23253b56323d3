// Sets up what benchmarks need and hands the command line to packages/bench.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

function run(command, ...args) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: ["ignore", 2, 2] });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

if (!existsSync(new URL("../node_modules", import.meta.url))) run("npm", "ci", "--no-audit", "--no-fund");
// A build in which nothing is stale ends at once.
run(process.execPath, "node_modules/typescript/bin/tsc", "-b", "packages/bench");

const { main } = await import("../packages/bench/dist/cli.js");
const { main: studies } = await import("../packages/bench/studies/main.mjs");
const [first, ...rest] = process.argv.slice(2);
try {
  process.exitCode = first === "studies" ? await studies(rest) : await main(process.argv.slice(2));
  // Without a suite's name these are about every page.
  if (first === "--check" || first === "--render") process.exitCode ||= await studies([first]);
} catch (error) {
  // A wrong argument needs its message, a defect its stack.
  console.error(error instanceof TypeError || error instanceof RangeError ? error.message : error);
  process.exitCode = 2;
}
