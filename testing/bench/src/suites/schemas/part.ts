import { median } from "simple-statistics";
import { type Summary, significant } from "../../measure/statistics.js";
import type { NumberColumn, NumberRow, NumberTable } from "../../report/numbers.js";
import type { Operation } from "../../types.js";

/** Shared by all parts of a run. */
export interface PartRun {
  readonly quick: boolean;
  readonly operations: readonly Operation[];
  readonly processes: number;
  /** A folder for files that the parts pass to their processes. */
  readonly folder: string;
}

/** A part of the suite with its own tables. */
export interface Part {
  readonly id: string;
  run(run: PartRun): Promise<NumberTable[]>;
}

/** Values of several processes by the name of their cell. */
export class Cells {
  readonly #values = new Map<string, number[]>();

  add(name: string, value: number): void {
    this.#values.set(name, [...(this.#values.get(name) ?? []), value]);
  }

  /** The median of a cell with the least and the greatest. A single process has no spread. */
  get(name: string): Pick<Summary, "median" | "low" | "high"> | number | undefined {
    const values = this.#values.get(name);
    if (values === undefined || values.length === 1) return values?.[0];
    return { median: median(values), low: significant(Math.min(...values)), high: significant(Math.max(...values)) };
  }
}

/** A row with the least value of each column. */
export function leastRow(columns: readonly NumberColumn[], rows: readonly NumberRow[]): NumberRow {
  const least = ({ id }: NumberColumn) => [id, Math.min(...rows.map(({ values }) => values[id]!))] as const;
  return { id: "least", title: "the least", values: Object.fromEntries(columns.map(least)) };
}
