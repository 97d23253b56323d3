// The run time that emitted Go carries beside it, made from go/pck.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const folder = join(import.meta.dirname, "../../../go/pck");

/** The text of a module that exports the run time's declarations and the packages that it imports. */
export function goRuntimeModule() {
  const imports = new Set();
  const bodies = readdirSync(folder)
    .filter((name) => name.endsWith(".go") && !name.endsWith("_test.go") && name !== "doc.go")
    .map((name) => {
      const source = readFileSync(join(folder, name), "utf8");
      return source
        .replace(/^package pck\n/, "")
        .replace(/^import (?:"(.+)"|\(([^)]*)\))\n/m, (_, one, several) => {
          for (const path of one === undefined ? several.match(/[^\s"]+/g) : [one]) imports.add(path);
          return "";
        })
        .trim();
    });
  return `/** The run time that emitted Go carries beside it. Written by the build from go/pck. */

/** The packages that the run time imports. */
export const RUNTIME_IMPORTS: readonly string[] = ${JSON.stringify([...imports].sort())};

/** The declarations of the run time. */
export const RUNTIME: string = ${JSON.stringify(prefixed(`${bodies.join("\n\n")}\n`))};
`;
}

/** Gives every name a prefix, so that it cannot collide with names of the user's package. `Error`, which users see, is `PCKError`. */
function prefixed(text) {
  const names = [...text.matchAll(/^(?:func|type|const|var) (\w+)/gm)].map(([, name]) => name);
  const own = new Map(
    names.map((name) => [name, name === "Error" ? "PCKError" : `pck${name[0].toUpperCase()}${name.slice(1)}`]),
  );
  if (new Set(own.values()).size < names.length) throw new Error("two names would become the same");
  // A name after a dot is a method, or belongs to another package.
  const inCode = (line) => line.replace(/(?<![.\w"])(?:Error(?!\(|\w)|(?!Error)\w+)/g, (word) => own.get(word) ?? word);
  // In a comment, a word is a name if it cannot be English, as AppendUvar, or if it begins the doc comment of a declaration.
  const inComment = (line) => line.replace(/\b\w*(?:[a-z][A-Z]|\d)\w*/g, (word) => own.get(word) ?? word);
  return text
    .replace(/^\/\/ (\w+)(?=.*\n(?:\/\/.*\n)*(?:func|type|const|var) \1\b)/gm, (_, name) => `// ${own.get(name)}`)
    .split("\n")
    .map((line) => (/^\s*\/\//.test(line) ? inComment(line) : inCode(line)))
    .join("\n");
}
