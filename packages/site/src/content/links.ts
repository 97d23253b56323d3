// Links that work on GitHub work on the site: their targets are files of the repository, and become the pages that these files are.
import { existsSync, readFileSync, statSync } from "node:fs";
import { join, posix, relative } from "node:path";
import type { MarkdownRenderer } from "vitepress";
import { GENERATED, placeOf, root } from "../repository.ts";

/** A target that begins with a protocol, a slash or a hash is not a path in the repository. */
const NOT_A_PATH = /^(?:[a-z][a-z+.-]*:|\/|#|$)/i;

/** The target of a link: a page of the site, or another file of the repository, which the site shows as a page. */
export interface Target {
  /** The file, from the repository's folder. */
  readonly file: string;
  /** True if the file is not a page: the build writes a page that shows it. */
  readonly isShown: boolean;
  /** Begins with `#`, or empty. */
  readonly anchor: string;
}

/**
 * The target of a link in a page, whose path is from the repository's folder. Undefined for a link to another site or within the
 * page. Throws an Error if the target does not exist.
 */
export function targetOf(page: string, href: string): Target | undefined {
  if (NOT_A_PATH.test(href)) return undefined;
  const [path = "", anchor] = decodeURI(href).split("#", 2);
  const named = existing(posix.join(posix.dirname(page), path)) ?? existing(path);
  if (named === undefined) throw new Error(`${page}: the link to ${href} leads to no file of the repository.`);
  const readme = posix.join(named, "README.md");
  const file = existsSync(join(root, readme)) ? readme : named;
  return { file, isShown: placeOf(file) === undefined, anchor: anchor === undefined ? "" : `#${anchor}` };
}

/**
 * A path without a slash at its end, if there is such a file or folder. Text of the README is also part of the home page, so its
 * links may count from the repository's folder.
 */
function existing(path: string): string | undefined {
  const clean = posix.normalize(path).replace(/\/$/, "");
  return existsSync(join(root, clean)) ? clean : undefined;
}

/** The Markdown of the page that shows a file which is not a page. */
export function shownAt(file: string): string {
  if (statSync(join(root, file)).isDirectory())
    throw new Error(`A page links to the folder ${file}, which has no README.md. Link to a file in it.`);
  return `${GENERATED}/source/${file}.md`;
}

/** The page's heading. */
export function titleOf(page: string): string {
  const [, title] = /^# (.+)$/m.exec(readFileSync(join(root, page), "utf8")) ?? [];
  if (title === undefined) throw new Error(`${page} has no heading, so the site has no name for it.`);
  return title;
}

/** A plugin of markdown-it: rewrites the links of a page. VitePress sets `env.realPath` for a page at another place. */
export function repositoryLinks(md: MarkdownRenderer): void {
  md.core.ruler.push("repository-links", ({ tokens, env }) => {
    const path: string | undefined = env.realPath ?? env.path;
    // A title in the head of a page has no path, and no links.
    if (path === undefined) return;
    const page = relative(root, path);
    const inline = tokens.flatMap(({ children }) => children ?? []);
    for (const [i, token] of inline.entries()) {
      if (token.type !== "link_open") continue;
      const target = targetOf(page, token.attrGet("href") ?? "");
      if (target === undefined) continue;
      token.attrSet("href", hrefOf(page, target));
      // In the repository a page may be called by its file. Here no reader knows the file.
      const text = inline[i + 1];
      if (text?.type === "text" && /^[\w/-]+\.md$/.test(text.content) && !target.isShown)
        text.content = titleOf(target.file);
    }
  });
}

/** The link from one page of the site to another, relative, so that the site works from any folder of a server. */
function hrefOf(page: string, { file, isShown, anchor }: Target): string {
  const from = placeOf(page);
  const to = placeOf(isShown ? shownAt(file) : file);
  if (from === undefined || to === undefined) throw new Error(`${page}: it, or ${file}, has no place on the site.`);
  return encodeURI(`${posix.relative(posix.dirname(from), to)}${anchor}`);
}
