// npm run test:interop: exchanges messages between Google's Protobuf for Go and our Writer and Reader.
import { ensureBuilt, ensureInstalled } from "../tools/src/setup.mjs";

ensureInstalled();
ensureBuilt();
// Imported late: it needs the installed packages.
const { main } = await import("../testing/interop/src/main.mjs");
process.exitCode = await main(process.argv.slice(2));
