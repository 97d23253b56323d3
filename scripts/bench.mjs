// Prepares everything that benchmarks need, and passes the command line to proving/bench.
import { ensureBuilt, ensureInstalled } from "../tools/src/setup.mjs";

ensureInstalled();
ensureBuilt();

const { main } = await import("../proving/bench/dist/cli.js");
const { main: studies } = await import("../proving/bench/studies/main.mjs");
const [first, ...rest] = process.argv.slice(2);
try {
  process.exitCode = first === "studies" ? await studies(rest) : await main(process.argv.slice(2));
  // Without the name of a suite, these apply to every page.
  if (first === "--check" || first === "--render") process.exitCode ||= await studies([first]);
} catch (error) {
  // A wrong argument needs only its message, a bug its stack.
  console.error(error instanceof TypeError || error instanceof RangeError ? error.message : error);
  process.exitCode = 2;
}
