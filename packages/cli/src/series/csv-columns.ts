/** The CSV columns with a meaning. Import and export share them. */

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
