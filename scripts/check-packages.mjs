// npm run check:packages: tests the packages as users get them; the checks are in testing/consumers.
import { ensureInstalled } from "../tools/src/setup.mjs";

ensureInstalled();
// Imported late: it needs the installed packages.
const { checkPackages } = await import("../testing/consumers/src/main.mjs");
process.exitCode = (await checkPackages(process.argv.slice(2))) ? 0 : 1;
