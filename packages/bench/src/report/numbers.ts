import type { ResultHead } from "../results.js";
import { pageHead } from "./head.js";
import { formatCount, formatRatio, table } from "./table.js";

/** A table of measured numbers: what memory, allocation and size suites produce. */
export interface NumberTable {
  readonly id: string;
  readonly title: string;
  /** How it was measured, and what a small number means. */
  readonly text: string;
  readonly unit: "bytes" | "ratio";
  readonly columns: readonly { readonly id: string; readonly title: string }[];
  readonly rows: readonly NumberRow[];
}

/** One row: missing values were not measurable for this row. */
export interface NumberRow {
  readonly id: string;
  readonly title: string;
  readonly values: Readonly<Record<string, number>>;
}

/** The result file of a suite that fills tables. */
export interface NumbersResult extends ResultHead {
  readonly tables: readonly NumberTable[];
}

/** The page of a suite that fills tables. */
export function numbersPage(title: string, result: NumbersResult): string {
  return [
    pageHead(title, result, []),
    ...result.tables.flatMap((numbers) => [`## ${numbers.title}`, "", numbers.text, "", numberTable(numbers), ""]),
  ].join("\n");
}

function numberTable({ unit, columns, rows }: NumberTable): string {
  const format = unit === "ratio" ? formatRatio : formatCount;
  return table(
    [unit === "ratio" ? "" : unit, ...columns.map(({ title }) => title)],
    rows.map(({ title, values }) => [
      title,
      ...columns.map(({ id }) => (values[id] === undefined ? "" : format(values[id]))),
    ]),
  );
}
