import type { ResultHead } from "../results.js";
import { pageHead } from "./head.js";
import { formatCount, formatRatio, table } from "./table.js";

/** A table of measured numbers: the result of memory, allocation and size suites. */
export interface NumberTable {
  readonly id: string;
  readonly title: string;
  /** How it was measured, and whether small or large is good. */
  readonly text: string;
  /** The day of the measurement, as 2026-11-29, if it is not the result's. */
  readonly measured?: string;
  readonly unit: Unit;
  readonly columns: readonly NumberColumn[];
  readonly rows: readonly NumberRow[];
}

/** How to format a number. For `count`, the column's title names the unit. */
export type Unit = "bytes" | "ratio" | "count";

/** A column; `unit` if it differs from the table's. */
export interface NumberColumn {
  readonly id: string;
  readonly title: string;
  readonly unit?: Unit;
}

/** One row. Missing values could not be measured for it. */
export interface NumberRow {
  readonly id: string;
  readonly title: string;
  readonly values: Readonly<Record<string, number>>;
  /** An interval around each value; the table's text says which. */
  readonly spreads?: Readonly<Record<string, readonly [number, number]>>;
}

/** The result file of a suite that fills tables. */
export interface NumbersResult extends ResultHead {
  readonly tables: readonly NumberTable[];
}

/** The page of a suite with tables. `origin`: sentences about how they were measured. */
export function numbersPage(title: string, result: NumbersResult, origin: readonly string[] = []): string {
  return [
    pageHead(title, result, origin),
    ...result.tables.flatMap((numbers) => [`## ${numbers.title}`, "", origins(numbers), "", numberTable(numbers), ""]),
  ].join("\n");
}

function origins({ text, measured }: NumberTable): string {
  return measured === undefined ? text : `${text} Measured on ${measured}.`;
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

/** The function that formats numbers of a unit. */
export function formatOf(unit: Unit): (value: number) => string {
  return unit === "ratio" ? formatRatio : formatCount;
}
