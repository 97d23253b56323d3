// Long pages are summaries: each part of a page of benchmarks, and each export of the reference, opens by its heading.
import { relative } from "node:path";
import type { MarkdownRenderer } from "vitepress";
import { GENERATED, root } from "../repository.ts";

/** The level of the headings whose parts open, by page. The first part of a page of benchmarks is open. */
const FOLDED: readonly { readonly page: RegExp; readonly level: number; readonly isFirstOpen: boolean }[] = [
  { page: /^docs\/benchmarks\/.+\.md$/, level: 2, isFirstOpen: true },
  { page: new RegExp(`^${GENERATED}/api/(?!index\\.md$).+\\.md$`), level: 3, isFirstOpen: false },
];

/** The used part of markdown-it's token, whose types VitePress has twice. */
interface Inline {
  readonly children: { readonly type: string; attrGet(name: string): string | null }[] | null;
}

/** A plugin of markdown-it. VitePress sets `env.realPath` for a page at another place. */
export function folds(md: MarkdownRenderer): void {
  md.core.ruler.push("folds", (state) => {
    // The search reads sections by their headings, and the links in them.
    if (state.env.isSearch === true) return;
    const path: string | undefined = state.env.realPath ?? state.env.path;
    const fold = path === undefined ? undefined : FOLDED.find(({ page }) => page.test(relative(root, path)));
    if (fold === undefined) return;
    const html = (content: string) => Object.assign(new state.Token("html_block", "", 0), { content });
    const tokens: typeof state.tokens = [];
    let isOpen = false;
    let count = 0;
    for (const token of state.tokens) {
      const level = /^h\d$/.test(token.tag) ? Number(token.tag.slice(1)) : Number.POSITIVE_INFINITY;
      if (token.type === "heading_open" && level <= fold.level) {
        if (isOpen) tokens.push(html("</details>\n"));
        isOpen = level === fold.level;
        if (isOpen)
          tokens.push(html(`<details class="part"${fold.isFirstOpen && count++ === 0 ? " open" : ""}><summary>\n`));
      }
      if (isOpen && token.type === "inline" && tokens.at(-1)?.tag === `h${fold.level}`) dropPermalink(token);
      tokens.push(token);
      if (token.type === "heading_close" && level === fold.level) tokens.push(html("</summary>\n"));
    }
    if (isOpen) tokens.push(html("</details>\n"));
    state.tokens = tokens;
  });
}

/** Removes the link of a heading to itself: a heading that opens its part is a button, and a button holds no link. */
function dropPermalink({ children }: Inline): void {
  if (children === null) return;
  const at = children.findIndex((child) => child.type === "link_open" && child.attrGet("class") === "header-anchor");
  if (at >= 0) children.splice(at, children.findIndex(({ type }, i) => i > at && type === "link_close") - at + 1);
}
