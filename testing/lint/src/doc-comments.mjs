// Doc comments of public functions begin with a verb: "Returns ..", "Writes ..".
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const FUNCTION = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n\s*export (?:async )?function\*? (\w+)/g;
const VERB = /^[A-Z][a-z]+s\b(?! of)/;
const NOT_VERBS = /^(?:Always|Bytes|Its|Options|Rows|Statistics|This)\b/;

/** The doc comments of public functions of the package `owner` that do not begin with a verb. `sources` are its files. */
export function docCommentFaults(owner, sources, folder) {
  const known = publicFunctions(join(folder, owner, "api"));
  return sources.flatMap((path) =>
    openings(readFileSync(join(folder, path), "utf8"))
      .filter((opening) => known.has(opening.name) && !beginsWithVerb(opening.text))
      .map(
        (opening) =>
          `${path}:${opening.line}: the doc comment of ${opening.name} begins "${opening.text.slice(0, 40)}". Begin with a verb: "Returns ..", "Writes ..".`,
      ),
  );
}

/** Returns true if a comment says what its function does. */
export function beginsWithVerb(text) {
  return VERB.test(text) && !NOT_VERBS.test(text);
}

/** The exported functions of a file with the first line of their doc comments. */
function openings(source) {
  return [...source.matchAll(FUNCTION)].map(({ 1: comment, 2: name, index }) => ({
    name,
    text: comment
      .replace(/\n\s*\*\s?/g, "\n")
      .trim()
      .split("\n")[0],
    line: source.slice(0, index).split("\n").length,
  }));
}

/** The names of functions in a package's API reports. */
function publicFunctions(folder) {
  const reports = existsSync(folder) ? readdirSync(folder) : [];
  return new Set(
    reports.flatMap((report) =>
      [...readFileSync(join(folder, report), "utf8").matchAll(/^export function (\w+)/gm)].map(([, name]) => name),
    ),
  );
}
