// npm test: every part, with a share of the random cases. npm test -- --all: with all of them, as with CI=true.
// npm test -- PATTERN ..: only vitest, with these arguments and all random cases.
import { ensureBuilt, ensureInstalled } from "../tools/src/setup.mjs";

const args = process.argv.slice(2);
// An environment variable, since other processes ask for it too.
if (args.includes("--all")) process.env.MOONPACK_ALL = "1";
ensureInstalled();
ensureBuilt();
// Imported only now: it needs installed packages.
const { main } = await import("./test-parts.mjs");
process.exitCode = await main(args.filter((arg) => arg !== "--all"));
