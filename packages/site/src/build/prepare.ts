// Writes the pages of the site that are made from others: the API reference, and the files that pages link to.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { publicEntries } from "@moonpack/tools/typedoc";
import MarkdownIt from "markdown-it";
import { languageOf } from "../content/files.ts";
import { shownAt, targetOf } from "../content/links.ts";
import { GENERATED, placeOf, root } from "../repository.ts";
import { mendAnchors } from "./anchors.ts";

const API = join(root, GENERATED, "api");
/** The inputs of the last reference, so that it is built again only after a change: that takes 10 s. */
const MARK = join(root, GENERATED, "api-made-from.txt");

/** Writes the reference and the shown files. */
export function prepare(): void {
  writeReference();
  rmSync(join(root, GENERATED, "source"), { recursive: true, force: true });
  for (const file of shownFiles()) {
    const page = join(root, shownAt(file));
    mkdirSync(dirname(page), { recursive: true });
    writeFileSync(
      page,
      `---\nsearch: false\n---\n\n# ${basename(file)}\n\n\`${file}\`\n\n<<< @/${file}{${languageOf(file)}}\n`,
    );
  }
}

/** Runs TypeDoc with the settings of `npm run docs`, but a page of Markdown for each entry. */
function writeReference(): void {
  // An entry without its source is found by the build of the packages.
  const entries = publicEntries().filter(({ source }) => existsSync(join(root, source)));
  const folders = [...new Set(entries.map(({ source }) => source.replace(/\/src\/.*/, "")))];
  const state = folders.map((folder) => `${folder} ${newest(join(root, folder, "src"))}`).join("\n");
  if (existsSync(MARK) && readFileSync(MARK, "utf8") === state) return;
  rmSync(API, { recursive: true, force: true });
  const args = [
    "node_modules/typedoc/bin/typedoc",
    ...["--plugin", "typedoc-plugin-markdown", "--plugin", "./tools/src/typedoc.mjs", "--out", API],
    ...["--outputFileStrategy", "modules", "--entryFileName", "index.md", "--modulesFileName", "index"],
    ...[
      "--hideBreadcrumbs",
      "true",
      "--hidePageHeader",
      "true",
      "--useCodeBlocks",
      "true",
      "--expandParameters",
      "true",
    ],
    // The build has looked for errors of types, and `npm run docs` refuses warnings.
    ...["--skipErrorChecking", "true", "--logLevel", "Error", "--treatWarningsAsErrors", "false"],
    ...entries.flatMap(({ source }) => ["--entryPoints", source]),
  ];
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" });
  if (status !== 0) throw new Error("TypeDoc failed: the API reference is missing.");
  mendAnchors(API);
  writeFileSync(MARK, state);
}

function newest(folder: string): number {
  const times = readdirSync(folder, { withFileTypes: true }).map((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? newest(path) : statSync(path).mtimeMs;
  });
  return Math.max(0, ...times);
}

/** The files that pages link to and that are not pages. */
function shownFiles(): Set<string> {
  const md = new MarkdownIt({ html: true });
  const shown = new Set<string>();
  for (const page of pages()) {
    const tokens = md.parse(readFileSync(join(root, page), "utf8"), {}).flatMap(({ children }) => children ?? []);
    for (const token of tokens.filter(({ type }) => type === "link_open")) {
      const target = targetOf(page, token.attrGet("href") ?? "");
      if (target?.isShown) shown.add(target.file);
    }
  }
  return shown;
}

/** All pages of the repository that are on the site, from its folder. */
function pages(): string[] {
  const inFolder = (folder: string, depth: number): string[] =>
    readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return depth > 0 && !SKIPPED.has(entry.name) ? inFolder(path, depth - 1) : [];
      return placeOf(path) === undefined ? [] : [path];
    });
  return inFolder(".", 4);
}

const SKIPPED = new Set(["node_modules", "dist", ".git", "generated", "api"]);
