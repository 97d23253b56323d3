// The rules of this repository that no common linter knows. Part of `npm run lint`.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "@moonpack/tools/setup";
import { borderFaults } from "./borders.mjs";
import { circleFaults } from "./circles.mjs";
import { commandFaults } from "./commands.mjs";
import { dialectFaults } from "./dialect.mjs";
import { docCommentFaults } from "./doc-comments.mjs";
import { entryFaults } from "./entries.mjs";
import { installFaults } from "./installs.mjs";
import { linkFaults } from "./links.mjs";
import { mapFaults } from "./map.mjs";
import { memberFaults, moduleFaults } from "./modules.mjs";
import { nameFaults } from "./names.mjs";

/** The folders whose files import each other: the sources of each package, and the root's commands. */
const TREE = /^(?:(?:packages|testing|rivals)\/[^/]+\/(?:src|test)|tools\/src|scripts)(?=\/)/;
const PACKAGE = /^packages\/[^/]+(?=\/src\/)/;

/** Prints what breaks a rule, and what to do; returns how many there are. */
export function main() {
  const faults = faultsOf(root);
  for (const fault of faults) console.error(fault);
  return faults.length;
}

/** Everything in a repository that breaks a rule. */
export function faultsOf(folder) {
  const paths = filesOf(folder);
  const code = paths.filter((path) => /\.[cm]?[jt]sx?$/.test(path));
  const map = join(folder, "CONTRIBUTING.md");
  return [
    ...(existsSync(map) ? mapFaults(readFileSync(map, "utf8"), paths) : []),
    ...linkFaults(paths, folder),
    ...entryFaults(paths, folder),
    ...paths.flatMap(nameFaults),
    ...dialectFaults(paths, folder),
    ...groups(code, PACKAGE).flatMap(([owner, sources]) => docCommentFaults(owner, sources, folder)),
    ...paths.flatMap((path) => commandFaults(path, folder)),
    ...paths.flatMap((path) => installFaults(path, folder)),
    ...groups(code, TREE).flatMap(([, tree]) => circleFaults(tree, folder)),
    ...code.filter((path) => !/^(?:go|examples|vectors)\//.test(path)).flatMap((path) => borderFaults(path, folder)),
    ...code
      .filter((path) => /^packages\/(?:moonpack|protobuf|pck)\/src\//.test(path))
      .flatMap((path) => moduleFaults(path, folder)),
    ...code
      .filter((path) => /^packages\/[^/]+\/(?:src|bin)\//.test(path))
      .flatMap((path) => memberFaults(path, folder)),
  ];
}

/** The paths by what `pattern` matches at their beginning. */
function groups(paths, pattern) {
  const found = new Map();
  for (const path of paths) {
    const key = pattern.exec(path)?.[0];
    if (key !== undefined) found.set(key, [...(found.get(key) ?? []), path]);
  }
  return [...found];
}

/** Files that git tracks, or would track. Built files are ignored. */
function filesOf(folder) {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const list = execFileSync("git", args, { cwd: folder, encoding: "utf8", maxBuffer: 1 << 26 });
  return list.split("\0").filter((path) => path !== "" && existsSync(join(folder, path)));
}
