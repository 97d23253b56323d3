// The steps of docs/pck-tutorial.md, from its fences:
//   ```ts src/a.ts     the whole file src/a.ts
//   ```diff src/a.ts   a change of that file: lines with `-` and a space are removed, lines with `+` added
//   ```console         commands after `$ `, each with its output below it
//   ```console NAME    the same in a terminal of that name, where the last command runs until the next one
// Any other fence only shows something.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "@moonpack/tools/setup";

/** The page. */
export const TUTORIAL = join(root, "docs/pck-tutorial.md");

/** The steps: `kind` is file, diff or console. */
export function stepsOf(text) {
  const steps = [];
  for (const { 1: fence, 2: content, index } of text.matchAll(/^```(\S.*)\n([\s\S]*?)^```$/gm)) {
    const [language, name] = fence.split(" ");
    const line = text.slice(0, index).split("\n").length;
    if (language === "console")
      steps.push({ kind: "console", terminal: name, commands: commandsOf(content, line + 1) });
    else if (name !== undefined) steps.push({ kind: language === "diff" ? "diff" : "file", path: name, content });
  }
  return steps;
}

/** The commands, each with its line number, counted from 1, and the lines below it. */
function commandsOf(content, first) {
  const commands = [];
  for (const [i, line] of content.trimEnd().split("\n").entries()) {
    if (line.startsWith("$ ")) commands.push({ line: first + i, command: line.slice(2), printed: [] });
    else commands.at(-1).printed.push(line);
  }
  return commands;
}

/** Applies a diff to a file's text. Throws if the removed lines are missing or not unique. */
export function patched(text, diff, path) {
  const lines = diff.trimEnd().split("\n");
  const textOf = (mark) => lines.filter((line) => line[0] !== mark).map((line) => `${line.slice(1).trimEnd()}\n`);
  const [before, after] = [textOf("+").join(""), textOf("-").join("")];
  if (text.split(before).length !== 2)
    throw new Error(`${path}: the lines of a diff are missing or not unique:\n${diff}`);
  return text.replace(before, () => after);
}

/** The files at the end of the tutorial: those that the page shows, and their copies. */
export function filesOf(steps) {
  const files = new Map();
  for (const { kind, path, content, commands = [] } of steps) {
    if (kind === "file") files.set(path, content);
    if (kind === "diff") files.set(path, patched(files.get(path) ?? "", content, path));
    for (const { command } of commands) {
      const [, from, to] = /^cp (\S+) (\S+)$/.exec(command) ?? [];
      if (files.has(from)) files.set(to, files.get(from));
    }
  }
  return files;
}

/** The steps of the current page. */
export const tutorialSteps = () => stepsOf(readFileSync(TUTORIAL, "utf8"));
