// node scripts/tutorial.mjs: follows docs/pck-tutorial.md literally. Every command must print what the page shows.
// --update writes the actual output into the page; check the difference before committing. A part of `npm test`.
import { readFileSync, writeFileSync } from "node:fs";
import { follow } from "./follow.mjs";
import { stepsOf, TUTORIAL } from "./steps.mjs";

/** Follows the page. Returns how many commands printed the expected output, and how many did not. */
export async function runTutorial({ update = false } = {}) {
  const text = readFileSync(TUTORIAL, "utf8");
  const results = await follow(stepsOf(text));
  for (const { line, command, expected, printed, fits } of results) {
    console.log(`docs/pck-tutorial.md:${line} ${fits ? "passed" : "FAILED"}: ${command}`);
    if (!fits) console.log(`  expected\n${indented(expected)}\n  printed\n${indented(printed)}`);
  }
  const failed = results.filter(({ fits }) => !fits).length;
  if (update) writeFileSync(TUTORIAL, updated(text, results));
  return { passed: results.length - failed, failed };
}

const indented = (lines) => lines.map((line) => `    ${line}`).join("\n");

/** The page with the actual output below each command. */
function updated(text, results) {
  const lines = text.split("\n");
  // Starts at the end, so that the places of the others stay valid.
  for (const { line, expected, printed, fits } of results.toReversed()) {
    if (!fits) lines.splice(line, expected.length, ...printed);
  }
  return lines.join("\n");
}

export async function main(args) {
  const { failed } = await runTutorial({ update: args.includes("--update") });
  return failed > 0 ? 1 : 0;
}
