// A process that runs one command after the other, as they arrive: for the many tests that look at what a command prints
// and writes, and not at its process. A new process takes 10 times as long as most commands.
//
// A command writes to the descriptors 1 and 2 and reads 0, past Node's streams too. Therefore the descriptors themselves
// are exchanged: a descriptor that is opened gets the lowest free number.
import { closeSync, openSync } from "node:fs";
import { createRequire } from "node:module";
import { setImmediate as nextTurn } from "node:timers/promises";
import { pathToFileURL } from "node:url";

// A command that hangs must not keep this process after the worker that started it.
process.on("disconnect", () => process.exit());

const [, , bin] = process.argv;
const { cache } = createRequire(import.meta.url);
const { run } = await import(new URL("program.js", pathToFileURL(bin)).href);

process.on("message", async ({ args, cwd, env, files }) => {
  exchange(files);
  process.chdir(cwd);
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.argv.splice(2, Infinity, ...args);
  process.exitCode = undefined;
  const known = new Set(Object.keys(cache));
  const code = await run(args);
  // A read that the command no longer waits for must not read the next command's input.
  while (process.getActiveResourcesInfo().some((name) => name.startsWith("FSReq"))) await nextTurn();
  // A schema's module may change before the next command.
  for (const path of Object.keys(cache)) if (!known.has(path) && !path.includes("node_modules")) delete cache[path];
  process.exitCode = undefined;
  process.send(code);
});

/** Opens these files in the place of standard input, output and error. */
function exchange(files) {
  for (const [descriptor, file] of files.entries()) {
    closeSync(descriptor);
    const opened = openSync(file, descriptor === 0 ? "r" : "w");
    if (opened !== descriptor) throw new Error(`${file} was opened as ${opened}, not ${descriptor}`);
  }
}
