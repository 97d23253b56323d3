// The types of all tests: a part of `npm run lint`, and of `npm test` when everything is tried.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { root, workspaces } from "../tools/src/setup.mjs";

/** Checks the types of the tests of each workspace. Returns how many are right, and how many are not. */
export function checkTypesOfTests() {
  const results = { passed: 0, failed: 0 };
  for (const folder of workspaces()) {
    const config = join(folder, "test/tsconfig.json");
    if (!existsSync(config)) continue;
    const name = `${relative(root, folder).replace(/\W/g, "-")}.json`;
    // Unchanged files are not checked again.
    const known = join(root, "node_modules/.cache/moonpack/types", name);
    const args = ["node_modules/typescript/bin/tsc", "-p", config, "--incremental", "--tsBuildInfoFile", known];
    const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" });
    results[status === 0 ? "passed" : "failed"]++;
  }
  return results;
}
