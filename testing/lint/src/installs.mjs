// A page that imports a package has an install line that names it: a reader can paste both.
import { readFileSync } from "node:fs";
import { join } from "node:path";

const PAGE = /^(?:docs\/[^/]+|packages\/[^/]+\/README|README)\.md$/;
const EXAMPLE = /^```(?:[jt]s|[cm]js)\b.*\n([\s\S]*?)^```/gm;
/** The package of an import: no path, no URL, nothing of Node. */
const IMPORTED = /\b(?:from|import|require\()\s*\(?"((?:@[\w.-]+\/)?[a-z][\w.-]*)(?:\/[^"]*)?"/g;
const INSTALL = /\bnpm install .*/g;

/** The packages that a page's examples import and that no install line of the page names. */
export function installFaults(path, folder) {
  if (!PAGE.test(path)) return [];
  const text = readFileSync(join(folder, path), "utf8");
  const code = [...text.matchAll(EXAMPLE)].map(([, example]) => example).join("\n");
  const imported = new Set([...code.matchAll(IMPORTED)].map(([, name]) => name));
  const installed = new Set(
    [...text.matchAll(INSTALL)].flatMap(([line]) => line.split(/[\s`,;]+|(?<=\w)@[\d^~]\S*|\.(?=\s|$)/)),
  );
  return [...imported]
    .filter((name) => !installed.has(name))
    .map((name) => `${path}: an example imports ${name}, which no install line names. Add it to "npm install ..".`);
}
