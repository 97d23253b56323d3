// Entries that pages name exist: `moonpack/stream` in a text, `from "@moonpack/pck/emit"` in an example. An entry that moved is found in
// every page that still has its old name.
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A whole span of code, or a whole string: what a page names, or code imports. */
const NAMED = /(?<=[`"'])(?:@moonpack\/[\w.-]+|moonpack)(?:\/[\w-]+)*(?=[`"'])/g;
/** The run time of Go, whose module is `moonpack`. */
const EXEMPT = /runtime: "moonpack\/pck"/;
const PAGE = /^(?:[A-Z]+\.md|docs\/[^/]+\.md|(?:packages|examples)\/[^/]+\/README\.md)$/;

/** Returns the faults of the pages of the repository in `folder`; `paths` are its files. */
export function entryFaults(paths, folder) {
  const known = new Set(paths.filter((path) => /^[^/]+\/(?:[^/]+\/)?package\.json$/.test(path)).flatMap(entriesOf));
  if (!known.has("moonpack")) return [];
  return paths.filter((path) => PAGE.test(path)).flatMap(faultsOf);

  function entriesOf(path) {
    const { name, exports = {} } = JSON.parse(readFileSync(join(folder, path), "utf8"));
    return [name, ...Object.keys(exports).map((entry) => `${name}${entry.slice(1)}`)];
  }

  function faultsOf(page) {
    return readFileSync(join(folder, page), "utf8")
      .split("\n")
      .flatMap((line, i) =>
        [...line.replace(EXEMPT, "").matchAll(NAMED)]
          .filter(([entry]) => !known.has(entry))
          .map(([entry]) => `${page}:${i + 1}: no package has the entry ${entry}. Correct its name.`),
      );
  }
}
