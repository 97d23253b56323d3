// The text of a page that the search knows: all of it. Of the API reference only the exports, since their properties would hide
// everything else.
import type { MarkdownEnv } from "vitepress";
import { GENERATED, placeOf } from "../repository.ts";
import { wordsFor } from "./search-words.ts";

/** The used part of markdown-it, whose types VitePress has twice. */
interface Renderer {
  readonly options: { highlight?: unknown };
  render(text: string, env: MarkdownEnv): string;
}

/** The page as HTML, whose headings the search takes as sections. */
export function searchable(text: string, env: MarkdownEnv, md: Renderer): string {
  // This is the renderer of the search alone, which does not look at the colours of code.
  md.options.highlight = null;
  const html = md.render(text, Object.assign(env, { isSearch: true }));
  if (env.frontmatter?.search === false) return "";
  if (!env.relativePath.startsWith(`${GENERATED}/api/`)) return withWords(html, placeOf(env.relativePath) ?? "");
  return html.replace(/<h([4-6])[^>]*>([\s\S]*?)<\/h\1>/g, (_, __, heading: string) => `<p>${heading}</p>`);
}

/** The page with the words that lead to its sections, below their headings. */
function withWords(html: string, place: string): string {
  return html.replace(/<h[1-6] id="([^"]+)"[\s\S]*?<\/h[1-6]>/g, (heading, anchor: string) => {
    const words = wordsFor(place, anchor);
    return words === "" ? heading : `${heading}<p>${words}</p>`;
  });
}
