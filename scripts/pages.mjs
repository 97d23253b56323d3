// The examples in the hand-written pages, and what they say they print. Used by scripts/examples.mjs and, for those that
// Node runs, by packages/moonpack/test/readme.node.test.ts; the types for that are in pages.d.mts.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./setup.mjs";

const pages = ["README.md", "UPGRADING.md", "SECURITY.md", "CONTRIBUTING.md", "packages/moonpack/README.md"];

/** How an example is fenced, by what runs it: `js` alone is Node's, `js everywhere` every runtime's. */
const fences = {
  node: ["js", "js everywhere"],
  deno: ["js deno", "js everywhere"],
  bun: ["js bun", "js everywhere"],
  page: ["html", "js everywhere"],
  edge: ["js edge"],
};
const known = new Set(Object.values(fences).flat());

/** The examples of one runtime: the page, the line each begins at, how it is fenced, its code. */
export function examplesFor(runtime) {
  const inDocs = readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md"));
  const paths = [...pages, ...inDocs.sort().map((name) => `docs/${name}`)];
  return paths.flatMap((page) =>
    fencesOf(page, readFileSync(join(root, page), "utf8")).filter(({ fence }) => fences[runtime].includes(fence)),
  );
}

function fencesOf(page, text) {
  return [...text.matchAll(/^```(\S.*)\n([\s\S]*?)^```$/gm)].map((match) => {
    const [, fence, code] = match;
    const line = text.slice(0, match.index).split("\n").length;
    // A slip would be an example that nothing ever runs.
    // One that names a file is a step of a tutorial, which scripts/tutorial.mjs follows.
    if (/^(js|html)\b/.test(fence) && !known.has(fence) && !/^\S+ \S+\.\S+$/.test(fence)) {
      throw new Error(`${page}:${line}: fenced as "${fence}", which is none of ${[...known].join(", ")}`);
    }
    return { page, line, fence, code };
  });
}

/**
 * What the comments promise, line by line: the `// text` behind a console.log, and the comment lines right below one. Null
 * when an example promises nothing.
 */
export function promised(code) {
  const expected = [];
  let isBelow = false;
  for (const line of code.split("\n")) {
    const [, call, behind] = /^(.*\bconsole\.log\(.*\);)(?: +\/\/ (.*))?$/.exec(line) ?? [];
    const below = isBelow ? /^ *\/\/ (.*)$/.exec(line)?.[1] : undefined;
    const said = behind ?? below;
    if (said !== undefined) expected.push(said);
    isBelow = call !== undefined || below !== undefined;
  }
  return expected.length > 0 ? expected : null;
}
