// npm run site:build: builds the site into packages/site/dist, static files that work from any folder of a server.
// SITE_BASE=https://example.org/moonpack/ npm run site:build: the same for that folder; previews of links then name their pictures by whole
// addresses, as some programs need. SITE_BASE=/moonpack/ names the folder only.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { join } from "node:path";
import { isCommand } from "../tools/src/runtimes.mjs";
import { ensureBuilt, ensureInstalled, root } from "../tools/src/setup.mjs";

/** Where the site is built. */
export const siteFolder = join(root, "packages/site/dist");

/** Checks the types of the site and builds it. Returns 0, or another exit code. */
export async function buildSite() {
  // npm installs a package at the root or below the one that needs it.
  const { resolve } = createRequire(join(root, "packages/site/package.json"));
  const steps = [
    [resolve("vue-tsc/bin/vue-tsc.js"), "--project", "packages/site"],
    [join(resolve("vitepress/package.json"), "../bin/vitepress.js"), "build", "packages/site"],
  ];
  for (const args of steps) {
    const [status] = await once(spawn(process.execPath, args, { cwd: root, stdio: "inherit" }), "close");
    if (status !== 0) return status ?? 1;
  }
  return 0;
}

if (isCommand(import.meta.url)) {
  ensureInstalled();
  ensureBuilt();
  process.exitCode = await buildSite();
}
