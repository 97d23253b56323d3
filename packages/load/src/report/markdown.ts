import { markdownTable } from "markdown-table";
import type { Comparison, LoadResult } from "../result.js";
import { toReport } from "./report.js";

/**
 * Returns a result as Markdown: a heading, tables, failures and notes. Throws `ERR_INVALID_ARGUMENT` for other data.
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

/** Characters that move a terminal's cursor or reverse text: Markdown is also read in terminals. */
const CONTROLS = /\p{Cc}|\p{Bidi_Control}/gu;

/** Escapes text for Markdown and terminals, on one line. Names of targets may contain any characters. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(/\s+/g, " ")
    .replace(/[\\`*_<>|#[\]]/g, "\\$&")
    .replace(CONTROLS, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
