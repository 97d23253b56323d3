// node scripts/tutorial.mjs [--update]: follows docs/pck-tutorial.md literally.
import { ensureBuilt, ensureInstalled } from "../tools/src/setup.mjs";

ensureInstalled();
ensureBuilt();
// Imported late: it needs the installed packages.
const { main } = await import("../testing/tutorial/src/main.mjs");
process.exitCode = await main(process.argv.slice(2));
