// Fences with the name of a file, as the tutorial's have it, show the name. Of a console, only commands are copied.
import type { MarkdownRenderer } from "vitepress";

/** A plugin of markdown-it. */
export function namedFences(md: MarkdownRenderer): void {
  const { fence } = md.renderer.rules;
  if (fence === undefined) throw new Error("markdown-it has no rule for fences");
  md.renderer.rules.fence = (tokens, i, options, env, self) => {
    const info = tokens[i]?.info.trim() ?? "";
    const html = fence(tokens, i, options, env, self);
    const shown = /^console\b/.test(info) ? withCopiedCommands(html) : html;
    const [, name] = /^\S+ (\S+\.\S+)$/.exec(info) ?? [];
    if (name === undefined) return shown;
    return `<div class="file"><p class="file-name" v-pre>${md.utils.escapeHtml(name)}</p>${shown}</div>`;
  };
}

/** The class of what VitePress' button does not copy. */
const IGNORED = "vp-copy-ignore";

/** A highlighted console: the button leaves out prompts and output. A line that ends with a backslash continues in the next one. */
export function withCopiedCommands(html: string): string {
  return html.replace(/(<code[^>]*>)([\s\S]*?)(<\/code>)/, (_, open: string, code: string, close: string) => {
    let continues = false;
    let isFirst = true;
    const lines = code.split("\n").map((line) => {
      const text = line.replace(/<[^>]*>/g, "");
      const isCommand = continues || /^\$ /.test(text);
      continues = isCommand && text.endsWith("\\");
      const separator = isFirst || !isCommand ? "" : "\n";
      if (isCommand) isFirst = false;
      if (!isCommand) return `<span class="${IGNORED}">${isFirst ? `${line}\n` : `\n${line}`}</span>`;
      return `${separator}${line.replace(/(>)\$(<\/span><span[^>]*>)? /, `$1<span class="${IGNORED}">$ </span>$2`)}`;
    });
    return `${open}${lines.join("")}${close}`;
  });
}
