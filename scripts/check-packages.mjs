// npm run check:packages: the packages as their users get them; what is looked at is in packages/consumers.
import { ensureInstalled } from "./setup.mjs";

ensureInstalled();
// Not before that: it needs what is installed.
const { checkPackages } = await import("../packages/consumers/src/main.mjs");
process.exitCode = (await checkPackages(process.argv.slice(2))) ? 0 : 1;
