// node scripts/tutorial.mjs: follows docs/pck-tutorial.md to the letter; every command has to print what the page says.
// With --update the page is made to say what they print: look at the difference. A part of `npm test`.
import { readFileSync, writeFileSync } from "node:fs";
import { missingGo } from "./go.mjs";
import { isCommand } from "./runtimes.mjs";
import { ensureBuilt, ensureInstalled } from "./setup.mjs";
import { follow } from "./tutorial/follow.mjs";
import { stepsOf, TUTORIAL } from "./tutorial/steps.mjs";

/** What is missing to follow it, or nothing. */
export const missingForTutorial = () => missingGo();

/** Follows it; answers how many commands printed what they should, and how many did not. */
export async function runTutorial({ update = false } = {}) {
  const text = readFileSync(TUTORIAL, "utf8");
  const results = await follow(stepsOf(text));
  for (const { line, command, expected, printed, fits } of results) {
    console.log(`docs/pck-tutorial.md:${line} ${fits ? "passed" : "FAILED"}: ${command}`);
    if (!fits) console.log(`  it should print\n${indented(expected)}\n  and printed\n${indented(printed)}`);
  }
  const failed = results.filter(({ fits }) => !fits).length;
  if (update) writeFileSync(TUTORIAL, updated(text, results));
  return { passed: results.length - failed, failed };
}

const indented = (lines) => lines.map((line) => `    ${line}`).join("\n");

/** The page with what its commands printed below each. */
function updated(text, results) {
  const lines = text.split("\n");
  // From the last on, so that the places of the others stay.
  for (const { line, expected, printed, fits } of results.toReversed()) {
    if (!fits) lines.splice(line, expected.length, ...printed);
  }
  return lines.join("\n");
}

if (isCommand(import.meta.url)) {
  ensureInstalled();
  ensureBuilt();
  const { failed } = await runTutorial({ update: process.argv.includes("--update") });
  if (failed > 0) process.exitCode = 1;
}
