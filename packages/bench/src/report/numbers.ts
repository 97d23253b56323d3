import type { ResultHead } from "../results.js";
import { pageHead } from "./head.js";
import { formatCount, formatRatio, table } from "./table.js";

/** A table of measured numbers: what memory, allocation and size suites produce. */
export interface NumberTable {
  readonly id: string;
  readonly title: string;
  /** How it was measured, and what a small number means. */
  readonly text: string;
  readonly unit: Unit;
  readonly columns: readonly NumberColumn[];
  readonly rows: readonly NumberRow[];
}

/** How a number is shown. The columns' titles tell what a `count` counts. */
export type Unit = "bytes" | "ratio" | "count";

/** A column, of another unit than the table's if it has one. */
export interface NumberColumn {
  readonly id: string;
  readonly title: string;
  readonly unit?: Unit;
}

/** One row: missing values were not measurable for this row. */
export interface NumberRow {
  readonly id: string;
  readonly title: string;
  readonly values: Readonly<Record<string, number>>;
  /** Between which numbers a value lies; the table's text says in which sense. */
  readonly spreads?: Readonly<Record<string, readonly [number, number]>>;
}

/** The result file of a suite that fills tables. */
export interface NumbersResult extends ResultHead {
  readonly tables: readonly NumberTable[];
}

/** The page of a suite that fills tables; `origin`: sentences about how they were measured. */
export function numbersPage(title: string, result: NumbersResult, origin: readonly string[] = []): string {
  return [
    pageHead(title, result, origin),
    ...result.tables.flatMap((numbers) => [`## ${numbers.title}`, "", numbers.text, "", numberTable(numbers), ""]),
  ].join("\n");
}

function numberTable({ unit, columns, rows }: NumberTable): string {
  return table(
    [unit === "bytes" ? unit : "", ...columns.map(({ title }) => title)],
    rows.map((row) => [row.title, ...columns.map((column) => cell(row, column, unit))]),
  );
}

function cell({ values, spreads }: NumberRow, { id, unit }: NumberColumn, tableUnit: Unit): string {
  const value = values[id];
  if (value === undefined) return "";
  const format = formatOf(unit ?? tableUnit);
  const spread = spreads?.[id];
  return spread === undefined ? format(value) : `${format(value)} (${format(spread[0])}..${format(spread[1])})`;
}

/** The function that shows numbers of a unit. */
export function formatOf(unit: Unit): (value: number) => string {
  return unit === "ratio" ? formatRatio : formatCount;
}
