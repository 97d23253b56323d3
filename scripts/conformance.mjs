// npm run test:conformance [-- --baseline]: Google's Protobuf conformance suite against protobuf.js with our Writer and
// Reader.
import { ensureBuilt, ensureInstalled } from "../tools/src/setup.mjs";

ensureInstalled();
ensureBuilt();
// Imported late: it needs the installed packages.
const { main } = await import("../testing/conformance/src/main.mjs");
process.exitCode = await main(process.argv.slice(2));
