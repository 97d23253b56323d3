// Follows docs/pck-tutorial.md literally, in an empty folder in which the repository's packages are installed.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { root } from "@moonpack/tools/setup";
import { freePort } from "./stage.mjs";
import { patched } from "./steps.mjs";
import { Terminals } from "./terminals.mjs";

/** The ports in the page. Others are used instead, since these may be taken. */
const PORTS = ["8080", "8090"];

/** Follows all steps. Returns the output of every command: `{ line, command, expected, printed, fits }`. */
export async function follow(steps) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "moonpack-tutorial-")));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "junction");
  const ports = await Promise.all(PORTS.map(freePort));
  const here = (text) => PORTS.reduce((result, port, i) => result.replaceAll(port, ports[i]), text);
  const there = (text) => ports.reduce((result, port, i) => result.replaceAll(port, PORTS[i]), text);
  const terminals = new Terminals(folder, environment());
  const results = [];
  try {
    for (const step of steps) {
      if (step.kind === "file") write(join(folder, step.path), here(step.content));
      if (step.kind === "diff") {
        const path = join(folder, step.path);
        write(path, patched(readFileSync(path, "utf8"), here(step.content), step.path));
      }
      for (const [i, { line, command, printed: expected }] of step.commands?.entries() ?? []) {
        const stays = step.terminal !== undefined && i === step.commands.length - 1;
        const words = here(withoutNpx(command));
        const lines = stays ? await terminals.stay(step.terminal, words, expected.length) : await terminals.run(words);
        const printed = lines.map(there);
        results.push({ line, command, expected, printed, fits: areAlike(printed, expected) });
      }
    }
  } finally {
    await terminals.end();
    rmSync(folder, { recursive: true, force: true });
  }
  return results;
}

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** npx would look for the program in the current PATH, which takes seconds. */
const withoutNpx = (command) => command.replaceAll("npx @moonpack/cli ", "moonpack ").replaceAll("npx ", "");

/** The environment of a plain shell, with the programs of the packages. */
function environment() {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|INIT_CWD$|FORCE_COLOR$|NODE_OPTIONS$|VITEST)/.test(name),
  );
  const { PATH = "", ...env } = Object.fromEntries(kept);
  return { ...env, PATH: [join(root, "node_modules/.bin"), PATH].join(delimiter), NO_COLOR: "1" };
}

/** Replaces values that differ in each run: seconds since 1970, and the duration of Go's tests. */
const undated = (lines) =>
  lines.map((line) => line.replace(/\b1[6-9]\d{8}\b/g, "<now>").replace(/\t(?:\d+\.\d+s|\(cached\))$/, ""));
const areAlike = (printed, expected) => isDeepStrictEqual(undated(printed), undated(expected));
