// npm run lint: formatting, lint rules, types, and the rules of this repository (testing/lint).
import { spawnSync } from "node:child_process";
import { ensureBuilt, ensureInstalled, ensureRuntimesWritten, root } from "../tools/src/setup.mjs";
import { checkTypesOfTests } from "./types-of-tests.mjs";

ensureInstalled();
ensureRuntimesWritten();
let failed = false;

function run(...args) {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" });
  failed ||= status !== 0;
}

run("node_modules/@biomejs/biome/bin/biome", "check", ".");
run("node_modules/typescript/bin/tsc", "-b", "tsconfig.json");
// Tests see the types that ship.
if (!failed) ensureBuilt();
failed = (await checkTypesOfTests()).failed > 0 || failed;
// Not before the install: it parses with TypeScript.
const { main } = await import("../testing/lint/src/main.mjs");
failed = main() > 0 || failed;
process.exitCode = failed ? 1 : 0;
