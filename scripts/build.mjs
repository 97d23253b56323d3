// npm run build: builds every package with tsc and tsdown, then the modules for browsers.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ensureBuilt, ensureInstalled, root } from "../tools/src/setup.mjs";

ensureInstalled();
ensureBuilt();
const browser = join(root, "tools/src/build-browser.mjs");
if (existsSync(browser)) {
  const { status } = spawnSync(process.execPath, [browser], { cwd: root, stdio: "inherit" });
  process.exitCode = status ?? 1;
}
