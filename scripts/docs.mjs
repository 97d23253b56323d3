// npm run docs: writes the generated pages, and the API reference to docs/api.
import { spawnSync } from "node:child_process";
import { ensureBuilt, ensureInstalled, root } from "../tools/src/setup.mjs";

ensureInstalled();
ensureBuilt();
for (const args of [["scripts/generate.mjs"], ["node_modules/typedoc/bin/typedoc"]]) {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
