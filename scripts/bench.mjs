// Prepares everything that benchmarks need, and passes the command line to testing/bench.
import { ensureBuilt, ensureInstalled } from "../tools/src/setup.mjs";

ensureInstalled();
ensureBuilt();

const { main } = await import("../testing/bench/dist/cli.js");
try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  // A wrong argument needs only its message, a bug its stack.
  console.error(error instanceof TypeError || error instanceof RangeError ? error.message : error);
  process.exitCode = 2;
}
