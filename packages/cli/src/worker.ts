import { isatty } from "node:tty";

// A worker's streams do not know whether they are terminals. Libraries check when they are loaded, so this comes first.
Object.assign(process.stdout, { isTTY: isatty(1) });
Object.assign(process.stderr, { isTTY: isatty(2) });
const { run } = await import("./program.js");
process.exitCode = await run(process.argv.slice(2));
