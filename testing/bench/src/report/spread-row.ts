import { type Summary, significant } from "../measure/statistics.js";
import type { NumberRow } from "./numbers.js";

/** A row of medians with their spread. Cells without a measurement stay empty. */
export function spreadRow(
  id: string,
  title: string,
  cells: Readonly<Record<string, Pick<Summary, "median" | "low" | "high"> | number | undefined>>,
): NumberRow {
  const values: Record<string, number> = {};
  const spreads: Record<string, readonly [number, number]> = {};
  for (const [column, cell] of Object.entries(cells)) {
    if (cell === undefined) continue;
    values[column] = significant(typeof cell === "number" ? cell : cell.median);
    if (typeof cell !== "number") spreads[column] = [cell.low, cell.high];
  }
  return { id, title, values, spreads };
}
