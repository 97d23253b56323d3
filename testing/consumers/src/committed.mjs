// Generated texts that are committed: compared, or written again.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { root } from "@moonpack/tools/setup";

const HINT = "if this is intended, run: npm run check:packages -- --write";

/** Compares a folder of texts by their names and returns the differences; with `write`, updates the folder. */
export function compareFolder(folder, texts, { write }) {
  mkdirSync(folder, { recursive: true });
  const faults = [];
  for (const name of readdirSync(folder)) {
    if (texts.has(name)) continue;
    if (write) rmSync(join(folder, name));
    else faults.push(`${relative(root, join(folder, name))} belongs to nothing any more; ${HINT}`);
  }
  for (const [name, text] of texts) faults.push(...compareText(join(folder, name), text, { write }));
  return faults;
}

export function compareText(path, text, { write }) {
  const committed = existsSync(path) ? readFileSync(path, "utf8") : "";
  if (committed === text) return [];
  if (write) {
    writeFileSync(path, text);
    return [];
  }
  const [before, after] = [committed.split("\n"), text.split("\n")];
  const gone = before.filter((line) => !after.includes(line)).map((line) => `- ${line}`);
  const added = after.filter((line) => !before.includes(line)).map((line) => `+ ${line}`);
  return [`${relative(root, path)} differs; ${HINT}\n${[...gone, ...added].join("\n")}`];
}
