// npm run lint: formatting, lint rules and types, and two house rules that no linter knows.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ensureInstalled, root } from "./setup.mjs";

ensureInstalled();
let failed = false;

function run(...args) {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" });
  failed ||= status !== 0;
}

run("node_modules/@biomejs/biome/bin/biome", "check", ".");
run("node_modules/typescript/bin/tsc", "-b", "tsconfig.json");

/** Only these may know Node, and what Deno and Bun have of it: everything else runs in browsers. */
const nodeOnly = /^packages\/moonpack\/src\/(node\/|bytes\/utf8\/(node|deno|bun)\.ts|compat\/msgpack-nodejs)/;
const { stdout } = spawnSync("git", ["ls-files", "packages/moonpack/src"], { cwd: root, encoding: "utf8" });
for (const path of stdout.split("\n").filter((name) => name.endsWith(".ts"))) {
  const text = readFileSync(join(root, path), "utf8");
  const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
  if (!nodeOnly.test(path) && /(?<!\.)\bBuffer\b(?!\?:)|\bprocess\.|from "node:/.test(code))
    report(path, "names Buffer, process or a Node module");
  if (path.includes("/src/bytes/") && /from "\.\.\/(?:\.\.\/)?(?!bytes)[a-z]+\//.test(code))
    report(path, "bytes imports nothing of ours");
}

function report(path, what) {
  console.error(`${path}: ${what}`);
  failed = true;
}
process.exitCode = failed ? 1 : 0;
