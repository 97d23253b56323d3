// From a file in a package's dist to the source that it is made from: bundle.json of the package.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path/posix";

/** The source of `./dist/NAME.js`, or of its types, as a path in the package; undefined if bundle.json lacks it. */
export function sourceOfEntry(folder, file) {
  const path = join(folder, "bundle.json");
  if (!existsSync(path)) return undefined;
  const { entries, variants, leaves, programs } = JSON.parse(readFileSync(path, "utf8"));
  const name = file.replace(/^\.\/dist\//, "").replace(/(?:\.d\.c?ts|\.c?js)$/, "");
  const source = { ...entries, ...variants, ...leaves, ...programs }[name];
  return source === undefined ? undefined : `src/${source}.ts`;
}
