// The map in CONTRIBUTING.md names the folders that there are.

/** Folders that the map names. */
const SHOWN = [/^[^/]+$/, /^(?:packages|testing|rivals)\/[^/]+$/];

/** Returns what is wrong with the map: `text` is the page, `paths` are the files of the repository. */
export function mapFaults(text, paths) {
  const named = foldersOf(text);
  const present = new Set(paths.flatMap(parentsOf).filter((folder) => SHOWN.some((shape) => shape.test(folder))));
  return [
    ...[...present]
      .filter((folder) => !named.has(folder))
      .map((folder) => `CONTRIBUTING.md: the map lacks ${folder}/. Add a line.`),
    ...[...named]
      .filter((folder) => !present.has(folder))
      .map((folder) => `CONTRIBUTING.md: the map has ${folder}/, which does not exist. Remove the line.`),
  ];
}

/** The folders in the page's first block of code: a line each, indented by two spaces below its parent. */
function foldersOf(text) {
  const block = /^```\n([\s\S]*?)^```/m.exec(text)?.[1] ?? "";
  const open = [];
  const folders = new Set();
  for (const [, indent, name] of block.matchAll(/^( *)([^ /]+)\//gm)) {
    open.splice(indent.length / 2, open.length, name);
    folders.add(open.join("/"));
  }
  return folders;
}

/** Every folder above a file. */
function parentsOf(path) {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, i) => parts.slice(0, i + 1).join("/"));
}
