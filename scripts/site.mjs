// npm run site: builds the site and serves it on this machine.
// npm run site -- --watch: shows a page again when it is changed, without building.
import { spawn } from "node:child_process";
import { ensureBuilt, ensureInstalled, root } from "../tools/src/setup.mjs";
import { buildSite, siteFolder } from "./site-build.mjs";

ensureInstalled();
ensureBuilt();
if (process.argv.includes("--watch")) {
  const args = ["node_modules/vitepress/bin/vitepress.js", "dev", "packages/site"];
  const child = spawn(process.execPath, args, { cwd: root, stdio: "inherit" });
  child.on("close", (status) => {
    process.exitCode = status ?? 1;
  });
} else if ((await buildSite()) === 0) {
  // Not before the install: it imports the server.
  const { serveFolder } = await import("../tools/src/serve-folder.mjs");
  const { url } = await serveFolder(siteFolder, { port: Number(process.env.PORT ?? 4173) });
  console.log(`The site is at ${url}. End with Ctrl-C.`);
} else {
  process.exitCode = 1;
}
