import { isatty } from "node:tty";

// A worker's streams do not know whether they are terminals. Libraries check when they are loaded, so this comes first.
Object.assign(process.stdout, { isTTY: isatty(1) });
Object.assign(process.stderr, { isTTY: isatty(2) });
const { run } = await import("./program.js");
const { commandOf } = await import("./commands/index.js");
const words = process.argv.slice(2);
process.exitCode = await run(words);
// The module that was loaded may keep a timer or a pool open for ever. What was measured is written.
if (commandOf(words) === "load") process.exit();
