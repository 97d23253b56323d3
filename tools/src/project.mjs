// A user's project: a folder outside the repository with the library installed.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./setup.mjs";

const library = join(root, "packages/moonpack");

/** `npm test` builds only with tsc; the published package also has dist/browser. */
function buildForPages() {
  const { status, stderr } = spawnSync(process.execPath, [join(root, "tools/src/build-browser.mjs")], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`tools/src/build-browser.mjs failed\n${stderr}`);
}

/** Creates one. The package is copied into node_modules as npm would install it, not linked. */
export function newProject() {
  buildForPages();
  const project = realpathSync(mkdtempSync(join(tmpdir(), "moonpack-project-")));
  const installed = join(project, "node_modules/moonpack");
  const { version, files } = JSON.parse(readFileSync(join(library, "package.json"), "utf8"));
  mkdirSync(installed, { recursive: true });
  for (const path of ["package.json", ...files])
    cpSync(join(library, path), join(installed, path), { recursive: true });
  const about = { name: "user", private: true, type: "module", dependencies: { moonpack: version } };
  writeFileSync(join(project, "package.json"), JSON.stringify(about));
  return project;
}
