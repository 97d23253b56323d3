// Tables on phones: each cell knows the heading of its column, so that a row can be shown as a list.
import type { MarkdownRenderer } from "vitepress";

/** A plugin of markdown-it. */
export function labelledCells(md: MarkdownRenderer): void {
  md.core.ruler.push("labelled-cells", ({ tokens }) => {
    let labels: string[] = [];
    let column = 0;
    for (const [i, token] of tokens.entries()) {
      if (token.type === "table_open") labels = [];
      if (token.type === "tr_open") column = 0;
      if (token.type === "th_open") labels.push(plain(tokens[i + 1]?.content ?? ""));
      if (token.type !== "td_open") continue;
      const label = labels[column++] ?? "";
      // In two columns, the second cell explains the first.
      if (labels.length > 2 && column > 1 && label !== "") token.attrSet("data-label", label);
    }
  });
}

/** A heading without its marks. */
const plain = (text: string): string => text.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/[`*]/g, "");
