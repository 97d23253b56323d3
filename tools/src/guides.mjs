// Writes the folder `guide` of packages: the pages of docs/ that are packed with them, as `guides` in bundle.json lists them. npm shows
// no files of a repository, so links to other files become text.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Writes the guides of all packages in the repository's folder. */
export function writeGuides(root) {
  for (const name of readdirSync(join(root, "packages"))) {
    const folder = join(root, "packages", name);
    const bundle = join(folder, "bundle.json");
    const { guides = [] } = existsSync(bundle) ? JSON.parse(readFileSync(bundle, "utf8")) : {};
    rmSync(join(folder, "guide"), { recursive: true, force: true });
    if (guides.length > 0) mkdirSync(join(folder, "guide"));
    for (const page of guides) {
      const text = readFileSync(join(root, "docs", page), "utf8");
      writeFileSync(join(folder, "guide", page), guideOf(text, new Set(guides)));
    }
  }
}

/** A page without links to files outside the folder, whose pages are `guides`. Code is left as it is. */
export function guideOf(text, guides) {
  const link = /!?\[([^\]]*)\]\(([^)\s]+)\)/g;
  return text
    .split(/(^ *```[\s\S]*?^ *```$)/m)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(link, (all, words, to) => (stays(to) ? all : words))))
    .join("");

  function stays(to) {
    const [path] = to.split("#");
    return path === "" || /^[a-z]+:/i.test(to) || guides.has(path);
  }
}
