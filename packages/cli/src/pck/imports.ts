import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

/** A relative import: `from "./a.js"`, `import("../b")`, `require("./c.cjs")`. Imports in comments are found too. */
const IMPORT = /\b(?:from|import|require)\s*(?:\(\s*)?(["'])(\.\.?\/[^"'\n]+)\1/g;
/** Extensions that an import may leave out, and JavaScript extensions that stand for TypeScript's. */
const ENDINGS = [".ts", ".mts", ".cts", ".js", ".mjs", ".cjs", ".json", "/index.ts", "/index.js"];
const SOURCES = new Map([
  [".js", ".ts"],
  [".mjs", ".mts"],
  [".cjs", ".cts"],
]);

/**
 * Returns these files and, recursively, the files that they import by relative paths. An import that does not exist is returned
 * as all the paths where it would be found. Imports of packages are left out.
 */
export function filesAndImports(files: readonly string[]): ReadonlySet<string> {
  const found = new Set(files);
  for (const file of found) {
    for (const candidate of importsOf(file)) found.add(candidate);
  }
  return found;
}

function importsOf(file: string): readonly string[] {
  if (!existsSync(file) || !statSync(file).isFile()) return [];
  const text = readFileSync(file, "utf8");
  return [...text.matchAll(IMPORT)].flatMap(([, , path]) => candidatesFor(join(dirname(file), path!)));
}

function candidatesFor(path: string): readonly string[] {
  const candidates = [path, ...ENDINGS.map((ending) => path + ending)];
  for (const [ending, source] of SOURCES) {
    if (path.endsWith(ending)) candidates.push(path.slice(0, -ending.length) + source);
  }
  return candidates;
}
