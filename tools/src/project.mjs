// A user's project: a folder outside the repository with the library installed.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./setup.mjs";

/** The packages that run everywhere. */
const PACKAGES = ["moonpack", "compat", "protobuf", "pck"];

/** `npm test` builds only with tsc; the published package also has dist/browser. */
function buildForPages() {
  const { status, stderr } = spawnSync(process.execPath, [join(root, "tools/src/build-browser.mjs")], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`tools/src/build-browser.mjs failed\n${stderr}`);
}

/** Creates one. The packages are copied into node_modules as npm would install them, not linked. */
export function newProject() {
  buildForPages();
  const project = realpathSync(mkdtempSync(join(tmpdir(), "moonpack-project-")));
  const dependencies = {};
  for (const folder of PACKAGES) {
    const source = join(root, "packages", folder);
    const { name, version, files } = JSON.parse(readFileSync(join(source, "package.json"), "utf8"));
    const installed = join(project, "node_modules", name);
    mkdirSync(installed, { recursive: true });
    for (const path of ["package.json", ...files])
      cpSync(join(source, path), join(installed, path), { recursive: true });
    dependencies[name] = version;
  }
  const about = { name: "user", private: true, type: "module", dependencies };
  writeFileSync(join(project, "package.json"), JSON.stringify(about));
  return project;
}
