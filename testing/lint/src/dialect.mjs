// Plain English: turns of phrase that a reader whose first language is another one must read twice. Code, tests and pages may have
// few of them.
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** At most this many in 1,000 lines of a package's source, of its tests, of all pages, examples and scripts. */
const MOST = 1.5;
const CODE = /\.(?:[cm]?[jt]s|vue)$/;
const PAGE = /\.md$/;
/** The files that are counted together: by the name of their group, or by the folder that the pattern captures. */
const GROUPS = [
  [/^((?:packages|testing)\/[^/]+|tools)\/(?:src\/|[^/]+$)/, CODE],
  // The tests of the lint quote the turns.
  [/^(?!testing\/lint\/)((?:(?:packages|testing)\/[^/]+|tools)\/test)\//, CODE],
  [/^(scripts|examples)\//, CODE],
  [/^(?:docs|examples|packages\/[^/]+)\/.*|^[^/]+$/, PAGE, "pages"],
];
/** The counted turns of phrase in comments and texts, with their replacement. */
export const MARKERS = [
  [/\b(?:told|tells?)\b/gi, "say what happens: returns, reports, is called with"],
  [/(?<=^|[*/])[ \t]*(?:What|Who|Whose) (?=[a-z])(?![^\n]*\?)/gm, "begin with the noun"],
  [/\b(?:is|are|was|were) no(?= [a-z])/gi, "is not a"],
  [/\b(?:those|that) of\b/gi, "repeat the noun"],
  [/\basked for\b/gi, "requested, read"],
  [/\bso (?:many|much)\b/gi, "the number"],
  [/\b(?:goes|went|go) on\b/gi, "continues"],
  [/\bnobody\b/gi, "no caller"],
  [/\bas [\w.]+ (?:has|have|does|do) it\b/gi, "like"],
  [/\bof (?:its|their) own\b/gi, "own, separate"],
  [/\bnevertheless\b/gi, "still"],
  [/\bmeanwhile\b/gi, "name the time: during the read, until the write"],
];

/** The groups of `paths` with more markers than allowed, with the first places. */
export function dialectFaults(paths, folder) {
  const packages = new Map();
  for (const path of paths) {
    const owner = ownerOf(path);
    if (owner === undefined) continue;
    const text = readFileSync(join(folder, path), "utf8");
    const entry = packages.get(owner) ?? { lines: 0, places: [] };
    packages.set(owner, entry);
    entry.lines += text.split("\n").length;
    entry.places.push(
      ...markersOf(PAGE.test(path) ? text : prose(text)).map(({ line, words }) => `${path}:${line} "${words}"`),
    );
  }
  return [...packages]
    .filter(([, { lines, places }]) => places.length > Math.max((lines * MOST) / 1000, 1))
    .map(
      ([owner, { lines, places }]) =>
        `${owner}: ${places.length} turns of phrase in ${lines} lines that are hard to read, at most ${MOST} in 1,000: ${places.slice(0, 5).join(", ")}. Rewrite them: the list is in testing/lint/src/dialect.mjs.`,
    );
}

/** The group of a file; undefined for a file that is not counted. */
function ownerOf(path) {
  for (const [place, form, name] of GROUPS) {
    const found = form.test(path) ? place.exec(path) : null;
    if (found !== null) return name ?? found[1];
  }
}

/** The markers in a text, with their lines. */
export function markersOf(text) {
  return MARKERS.flatMap(([pattern, instead]) =>
    [...text.matchAll(pattern)].map(({ 0: words, index }) => ({
      line: text.slice(0, index).split("\n").length,
      words: words.trim(),
      instead,
    })),
  );
}

/** The same lines with comments and texts only. */
function prose(source) {
  return source.replace(/\/\*[\s\S]*?\*\/|\/\/.*$|(["'`])(?:\\.|(?!\1)[^\\])*\1|[^\n]/gm, (part) =>
    part.length > 1 ? part : " ",
  );
}
