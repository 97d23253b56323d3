import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

/** An import of a file by its place: `from "./a.js"`, `import("../b")`, `require("./c.cjs")`. What comments say counts too. */
const IMPORT = /\b(?:from|import|require)\s*\(?\s*(["'])(\.\.?\/[^"'\n]+)\1/g;
/** Endings that an import may leave out, and those that stand for TypeScript's. */
const ENDINGS = [".ts", ".mts", ".cts", ".js", ".mjs", ".cjs", ".json", "/index.ts", "/index.js"];
const SOURCES = new Map([
  [".js", ".ts"],
  [".mjs", ".mts"],
  [".cjs", ".cts"],
]);

/**
 * The files that matter to some files: these, and what they import by its place, and so on. Files that are not there are among
 * them where they would be found first; packages are not.
 */
export function filesBehind(files: readonly string[]): ReadonlySet<string> {
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
