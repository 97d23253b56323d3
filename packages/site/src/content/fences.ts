// Fences with the name of a file, as the tutorial's have it, show the name.
import type { MarkdownRenderer } from "vitepress";

/** A plugin of markdown-it. */
export function fileNames(md: MarkdownRenderer): void {
  const { fence } = md.renderer.rules;
  if (fence === undefined) throw new Error("markdown-it has no rule for fences");
  md.renderer.rules.fence = (tokens, i, options, env, self) => {
    const html = fence(tokens, i, options, env, self);
    const [, name] = /^\S+ (\S+\.\S+)$/.exec(tokens[i]?.info.trim() ?? "") ?? [];
    if (name === undefined) return html;
    return `<div class="file"><p class="file-name" v-pre>${md.utils.escapeHtml(name)}</p>${html}</div>`;
  };
}
