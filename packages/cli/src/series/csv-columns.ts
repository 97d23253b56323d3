/** The CSV columns with a meaning. Import and export share them. */

import { UsageError } from "../shared/failure.js";

/** The meaning of a column. */
export type CsvMeaning = "name" | "timestamp" | "value" | "type";

/** Columns by their titles in lower case. Any other column may be a tag. */
export const CSV_COLUMNS: ReadonlyMap<string, CsvMeaning> = new Map([
  ["name", "name"],
  ["metric", "name"],
  ["timestamp", "timestamp"],
  ["time", "timestamp"],
  ["value", "value"],
  ["type", "type"],
]);

/** The prefix of a title that makes the column a tag, even if the tag has the name of another column. */
export const TAG_PREFIX = "tag:";

/** Reads the option for the character between cells. */
export function delimiterArgument(text: string): string {
  const delimiter = text === "tab" || text === "\\t" ? "\t" : text;
  if (/^[^"\r\n]$/.test(delimiter)) return delimiter;
  throw new UsageError(`--delimiter must be one character, or tab, not ${text}`);
}
