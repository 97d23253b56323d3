// npm run runtimes [-- NAME ..]: installs the other runtimes that the tests need, unless they are installed: all, or the
// named ones.
import { installMissing } from "../tools/src/runtimes.mjs";
import { ensureInstalled } from "../tools/src/setup.mjs";

ensureInstalled();
await installMissing(process.argv.slice(2));
