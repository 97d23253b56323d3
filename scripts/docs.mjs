// npm run docs: writes the generated pages, and the API reference of all packages to docs/api.
import { spawnSync } from "node:child_process";
import { ensureBuilt, ensureInstalled, root } from "../tools/src/setup.mjs";

ensureInstalled();
ensureBuilt();
run("scripts/generate.mjs");
// Not before the install: it imports TypeDoc.
const { publicEntries } = await import("../tools/src/typedoc.mjs");
const entries = publicEntries().flatMap(({ source }) => ["--entryPoints", source]);
run("node_modules/typedoc/bin/typedoc", "--plugin", "./tools/src/typedoc.mjs", ...entries);

function run(...args) {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
