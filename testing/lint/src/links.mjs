// Relative links in pages lead to a file or folder of the repository, and their anchors to a heading of that page. Every page of
// docs/ can be reached by a link. READMEs of packages have no relative links: npm shows them, and not the files of the repository.
import { readFileSync } from "node:fs";
import { join, posix } from "node:path";

/** An inline link or image, a definition of a link, or an attribute of HTML: the target is the only group that matches. */
const LINK =
  /\]\(\s*<?([^\s<>()]+)>?(?:\s+"[^"]*")?\s*\)|^ {0,3}\[[^\]]+\]:\s+<?([^\s>]+)|<[^>]*\b(?:href|src)="([^"]+)"/gm;

/** A README that npm shows. The package `site` is not published. */
const SHOWN_BY_NPM = /^packages\/(?!site\/)[^/]+\/README\.md$/;
/** Addresses that exist once the packages are published, or the repository has a place. */
const NOT_YET =
  /\bhttps?:\/\/(?:www\.)?(?:npmjs\.com|github\.com|unpkg\.com|cdn\.jsdelivr\.net)\/[^\s)]*moonpack[^\s)]*/g;

/** Returns the faults of the links of the repository's pages; `paths` are its files, in `folder`. */
export function linkFaults(paths, folder) {
  const pages = new Map(
    paths.filter((path) => path.endsWith(".md")).map((path) => [path, readFileSync(join(folder, path), "utf8")]),
  );
  const places = new Set(paths.flatMap((path) => [path, ...foldersAbove(path)]));
  const anchors = new Map([...pages].map(([path, text]) => [path, anchorsOf(text)]));
  const reached = new Set();
  const faults = [];
  for (const [page, text] of pages) {
    for (const [address] of text.matchAll(NOT_YET)) faults.push(`${page}: ${address} does not exist yet. Remove it.`);
    for (const { line, target } of linksOf(text)) {
      if (SHOWN_BY_NPM.test(page) && !target.startsWith("#"))
        faults.push(
          `${page}:${line}: the link to ${target} is dead on npm. Name a page of the package's guide instead.`,
        );
      const [path, anchor] = split(target);
      const file = path === "" ? page : posix.join(posix.dirname(page), path).replace(/\/$/, "");
      if (file !== page) reached.add(file);
      const fault = places.has(file) ? anchorFault(file, anchor, anchors.get(file)) : `${file} does not exist`;
      if (fault !== undefined) faults.push(`${page}:${line}: the link to ${target} is dead: ${fault}. Correct it.`);
    }
  }
  const orphans = [...pages.keys()].filter((page) => page.startsWith("docs/") && !reached.has(page));
  return [...faults, ...orphans.map((page) => `${page}: no page links to it. Add a row to docs/README.md.`)];
}

function anchorFault(file, anchor, known) {
  if (anchor === "" || known?.has(anchor)) return undefined;
  return known === undefined ? `${file} is not a page, so it has no anchors` : `${file} has no heading #${anchor}`;
}

/** The targets of a page that are not on another host, with their lines. */
function linksOf(text) {
  return [...withoutCode(text).matchAll(LINK)].flatMap((match) => {
    const target = match[1] ?? match[2] ?? match[3];
    if (/^(?:[a-z][a-z+.-]*:|\/\/)/i.test(target)) return [];
    const at = match.index + match[0].lastIndexOf(target);
    return [{ line: text.slice(0, at).split("\n").length, target }];
  });
}

function split(target) {
  const [path, anchor = ""] = target.split("#", 2);
  return [decodeURI(path), decodeURIComponent(anchor)];
}

/** The page with its code and comments replaced by spaces, so that lines stay where they are. */
function withoutCode(text) {
  return withoutFences(text)
    .replace(/<!--[\s\S]*?-->/g, blank)
    .replace(/(?<!`)(`+)(?!`)(?:(?!\n\n)[\s\S])*?(?<!`)\1(?!`)/g, blank);
}

function withoutFences(text) {
  return text.replace(/^ *(`{3,}|~{3,})[^\n]*\n[\s\S]*?^ *\1 *$/gm, blank);
}

/** Spaces in place of a text, with its lines. */
function blank(text) {
  return text.replace(/[^\n]/g, " ");
}

/** The anchors of a page: its headings as GitHub turns them into anchors, and ids in HTML. */
function anchorsOf(text) {
  const prose = withoutFences(text);
  const anchors = new Set([...prose.matchAll(/<[^>]*\b(?:id|name)="([^"]+)"/g)].map(([, id]) => id));
  for (const [, heading] of prose.matchAll(/^ {0,3}#{1,6} +(.*?)(?: +#+)? *$/gm)) {
    const slug = slugOf(heading);
    let anchor = slug;
    for (let n = 1; anchors.has(anchor); n++) anchor = `${slug}-${n}`;
    anchors.add(anchor);
  }
  return anchors;
}

function slugOf(heading) {
  return heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, "")
    .replaceAll(" ", "-");
}

/** Every folder above a file, and the root. */
function foldersAbove(path) {
  const parts = path.split("/").slice(0, -1);
  return [".", ...parts.map((_, i) => parts.slice(0, i + 1).join("/"))];
}
