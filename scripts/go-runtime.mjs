// node scripts/go-runtime.mjs: writes packages/moonpack/src/pck/emit/go/runtime.ts, the Go runtime that emitted code carries
// beside it, from go/pck. With --check it changes nothing and exits 1 at a difference.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./setup.mjs";

const folder = join(root, "go/pck");
const target = "packages/moonpack/src/pck/emit/go/runtime.ts";

const sources = readdirSync(folder)
  .filter((name) => name.endsWith(".go") && !name.endsWith("_test.go") && name !== "doc.go")
  .map((name) => readFileSync(join(folder, name), "utf8"));

const imports = new Set();
const bodies = sources.map((source) =>
  source
    .replace(/^package pck\n/, "")
    .replace(/^import (?:"(.+)"|\(([^)]*)\))\n/m, (_, one, several) => {
      for (const path of one === undefined ? several.match(/[^\s"]+/g) : [one]) imports.add(path);
      return "";
    })
    .trim(),
);
let text = `${bodies.join("\n\n")}\n`;

// In somebody else's package every name of ours has a prefix, so that it meets none of theirs. Error is for users to see.
const names = [...text.matchAll(/^(?:func|type|const|var) (\w+)/gm)].map(([, name]) => name);
const taken = new Set();
for (const name of names) {
  const own = name === "Error" ? "PCKError" : `pck${name[0].toUpperCase()}${name.slice(1)}`;
  if (taken.has(own)) throw new Error(`two names would be ${own}`);
  taken.add(own);
  // Not a method, nor something of another package.
  const pattern = name === "Error" ? /(?<![.\w])Error(?!\(|\w)/g : new RegExp(`(?<![.\\w])${name}(?=[\\[(]|\\b)`, "g");
  text = text.replace(pattern, own);
}

const module = `/** The Go runtime that emitted code carries beside it. Written by scripts/go-runtime.mjs from go/pck. */

/** The packages that it imports. */
export const RUNTIME_IMPORTS: readonly string[] = [
${[...imports]
  .sort()
  .map((path) => `  "${path}",\n`)
  .join("")}];

/** Its declarations. */
export const RUNTIME = ${"`"}${text.replace(/[\\`]|\$\{/g, "\\$&")}${"`"};
`;
const present = readFileSync(join(root, target), { encoding: "utf8", flag: "a+" });
if (present !== module) {
  if (process.argv.includes("--check")) {
    console.error(`${target} is stale: run node scripts/go-runtime.mjs`);
    process.exitCode = 1;
  } else {
    writeFileSync(join(root, target), module);
    console.log(`wrote ${target}`);
  }
}
