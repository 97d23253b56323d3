// npm start: packs data/*.json into out/, checks that everything reads back equal, and prints a table.
// npm start -- my.json: the same for your own files, into ./out in your folder.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { ensureBuilt, ensureInstalled, root } from "../tools/src/setup.mjs";

ensureInstalled();
ensureBuilt();

const given = process.argv.slice(2);
const stands = process.env.INIT_CWD ?? process.cwd();
const data = join(root, "data");
const job =
  given.length > 0
    ? { folder: stands, args: given.map((arg) => (arg.startsWith("-") ? arg : resolve(stands, arg))) }
    : {
        folder: root,
        args: readdirSync(data)
          .filter((name) => name.endsWith(".json"))
          .sort()
          .map((name) => join("data", name)),
      };

const { status } = spawnSync(process.execPath, [join(root, "packages/cli/dist/main.js"), "pack", ...job.args], {
  cwd: job.folder,
  // This is already the folder from which the paths count, so npm's INIT_CWD must not apply.
  env: { ...process.env, INIT_CWD: job.folder },
  stdio: "inherit",
});
process.exitCode = status ?? 1;
