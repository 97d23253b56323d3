// npm run fuzz [-- TARGET ..] [--seconds 60] [--seed N] [--keep]: mutated vectors against every decoder and encoder.
import { ensureBuilt, ensureInstalled } from "../tools/src/setup.mjs";

ensureInstalled();
ensureBuilt();
// Imported late: it needs the installed packages.
const { main } = await import("../testing/fuzz/src/main.mjs");
process.exitCode = await main(process.argv.slice(2));
