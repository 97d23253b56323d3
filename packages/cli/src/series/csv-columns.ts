/** The columns of CSV that have a meaning: shared by import and export. */

/** What a column means. */
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

/** Before the name of a tag in a title: the column is that tag, whatever its name. */
export const TAG_PREFIX = "tag:";
