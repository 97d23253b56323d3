// The files of an example as a part of its page.
import { readdirSync, readFileSync } from "node:fs";
import { extname, join, relative } from "node:path";
import { root } from "../repository.ts";

/** Longer files are listed, not shown: code that was emitted, and data. */
const MAX_LINES = 400;
const NOT_FILES = /^(?:node_modules|dist|out)(?:\/|$)|^(?:README\.md|package-lock\.json|go\.sum)$/;

/** The files of a folder, each under its name. VitePress reads those that `<<<` names. */
export function filesOf(folder: string): string {
  const paths = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(join(root, folder), join(entry.parentPath, entry.name)))
    .filter((path) => !NOT_FILES.test(path))
    .sort();
  const parts = paths.map((path) => {
    const lines = readFileSync(join(root, folder, path), "utf8")
      .trimEnd()
      .split("\n").length;
    const language = languageOf(path);
    if (lines > MAX_LINES) return `### ${path}\n\nNot shown: ${lines.toLocaleString("en")} lines.\n`;
    return `### ${path}\n\n<<< @/${folder}/${path}{${language}}\n`;
  });
  return `\n## The files\n\n${parts.join("\n")}`;
}

/** The name by which the highlighter knows the language of a file. */
export function languageOf(path: string): string {
  const ending = extname(path).slice(1);
  return (
    new Map([
      ["mjs", "js"],
      ["mod", "go"],
      ["", "text"],
    ]).get(ending) ?? ending
  );
}
