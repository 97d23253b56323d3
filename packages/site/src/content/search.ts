// The text of a page that the search knows: all of it. Of the API reference only the exports, since their properties would hide
// everything else.
import type { MarkdownEnv } from "vitepress";
import { GENERATED } from "../repository.ts";

/** The used part of markdown-it, whose types VitePress has twice. */
interface Renderer {
  readonly options: { highlight?: unknown };
  render(text: string, env: MarkdownEnv): string;
}

/** The page as HTML, whose headings the search takes as sections. */
export function searchable(text: string, env: MarkdownEnv, md: Renderer): string {
  // This is the renderer of the search alone, which does not look at the colours of code.
  md.options.highlight = null;
  const html = md.render(text, env);
  if (env.frontmatter?.search === false) return "";
  if (!env.relativePath.startsWith(`${GENERATED}/api/`)) return html;
  return html.replace(/<h([4-6])[^>]*>([\s\S]*?)<\/h\1>/g, (_, __, heading: string) => `<p>${heading}</p>`);
}
