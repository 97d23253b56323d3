// npm run pack [-- FOLDER]: packs all packages into a folder, `packed` by default, and prints the line that installs them in
// another project. They are installed together: npm takes from its registry what a line does not name.
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { buildForPages, ensureBuilt, ensureInstalled, npm, root } from "../tools/src/setup.mjs";

const folder = resolve(process.argv[2] ?? join(root, "packed"));
ensureInstalled();
ensureBuilt();
buildForPages();
mkdirSync(folder, { recursive: true });
for (const file of readdirSync(folder)) if (/^moonpack-.*\.tgz$/.test(file)) rmSync(join(folder, file));

const published = readdirSync(join(root, "packages"))
  .map((name) => JSON.parse(readFileSync(join(root, "packages", name, "package.json"), "utf8")))
  .filter((manifest) => manifest.private !== true)
  .flatMap(({ name }) => ["--workspace", name]);
const [command, args] = npm("pack", "--json", "--loglevel=error", "--pack-destination", folder, ...published);
const { status, stdout, stderr } = spawnSync(command, args, {
  cwd: root,
  encoding: "utf8",
  shell: command === "npm" && process.platform === "win32",
});
if (status !== 0) throw new Error(`npm pack failed\n${stdout}${stderr}`);

const tarballs = readdirSync(folder).filter((file) => /^moonpack-.*\.tgz$/.test(file));
const quote = (path) => (/^[\w./:\\-]+$/.test(path) ? path : `"${path}"`);
console.error("In your project:");
console.log(`npm install ${tarballs.map((file) => quote(join(folder, file))).join(" ")}`);
