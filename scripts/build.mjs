// npm run build: every package with tsc, then the browser build, if there is one.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ensureBuilt, ensureInstalled, root } from "./setup.mjs";

ensureInstalled();
ensureBuilt();
const browser = join(root, "scripts/build-browser.mjs");
if (existsSync(browser)) {
  const { status } = spawnSync(process.execPath, [browser], { cwd: root, stdio: "inherit" });
  process.exitCode = status ?? 1;
}
