/**
 * Every example that is fenced as ```js in the hand-written pages runs as it stands, in a process of its own, and prints
 * what the page says it prints: the `// text` behind a console.log, and the comment lines right below one.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { runChild } from "./harness/child.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const pages = [
  "README.md",
  "UPGRADING.md",
  "SECURITY.md",
  "CONTRIBUTING.md",
  "packages/moonpack/README.md",
  ...readdirSync(join(root, "docs"))
    .filter((name) => name.endsWith(".md"))
    .sort()
    .map((name) => `docs/${name}`),
].filter((page) => existsSync(join(root, page)) && examplesOf(page).length > 0);

/** The examples of a page: the line each begins at, and its code. */
function examplesOf(page: string): { line: number; code: string }[] {
  const text = readFileSync(join(root, page), "utf8");
  return [...text.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map((match) => ({
    line: text.slice(0, match.index).split("\n").length,
    code: match[1]!,
  }));
}

/** What the comments promise, line by line; null when an example promises nothing. */
function promised(code: string): string[] | null {
  const expected: string[] = [];
  let isBelow = false;
  for (const line of code.split("\n")) {
    const [, call, behind] = /^(.*\bconsole\.log\(.*\);)(?: +\/\/ (.*))?$/.exec(line) ?? [];
    const below: string | undefined = isBelow ? /^ *\/\/ (.*)$/.exec(line)?.[1] : undefined;
    const said = behind ?? below;
    if (said !== undefined) expected.push(said);
    isBelow = call !== undefined || below !== undefined;
  }
  return expected.length > 0 ? expected : null;
}

test("there are examples to run", () => {
  expect(examplesOf("README.md").length).toBeGreaterThan(5);
});

for (const page of pages)
  describe(page, () => {
    for (const { line, code } of examplesOf(page))
      test(`the example at line ${line}`, () => {
        const { status, stdout, stderr } = runChild(code);
        expect(stderr).toBe("");
        expect(status).toBe(0);
        const lines = promised(code);
        if (lines !== null) expect(stdout.trimEnd().split("\n")).toEqual(lines);
      });
  });
