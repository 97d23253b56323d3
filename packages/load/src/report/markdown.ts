import { markdownTable } from "markdown-table";
import type { Comparison, LoadResult } from "../result.js";
import { toReport } from "./report.js";

/**
 * A result as Markdown: a heading, tables, and what the reader must know.
 *
 * @example
 * writeFileSync("result.md", toMarkdown(await load(target)));
 */
export function toMarkdown(result: LoadResult | Comparison): string {
  const { title, description, tables, lines, failures, notes } = toReport(result);
  const warnings = [...failures.map((text) => `**Failed**: ${escaped(text)}`), ...notes.map(escaped)];
  return [
    `## ${escaped(title)}`,
    escaped(description),
    ...tables.map(({ columns, rows }) =>
      markdownTable([[...columns], ...rows.map((row) => row.map(escaped))], {
        align: columns.map((_, i) => (i === 0 ? "l" : "r")),
      }),
    ),
    lines.map(escaped).join("\n"),
    ...(warnings.length === 0 ? [] : [warnings.map((text) => `* ${text}`).join("\n")]),
    "",
  ]
    .join("\n\n")
    .replace(/\n\n$/, "\n");
}

/** Text that means nothing in Markdown, on one line. Names of targets may have any characters. */
function escaped(text: string): string {
  return text.replace(/\s+/g, " ").replace(/[\\`*_<>|#[\]]/g, "\\$&");
}
