// What the search knows of a page: all of it, but only the exports of the API reference, not each of their properties, which would hide
// everything else.
import type { MarkdownEnv } from "vitepress";
import { GENERATED } from "../repository.ts";

/** What is used of markdown-it, of whose types VitePress has two. */
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
