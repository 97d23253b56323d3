import { meanRatio } from "../measure/statistics.js";
import { ratio, ratioToBestRival } from "../race/query.js";
import type { RaceResult } from "../race/race.js";
import { formatOf, type NumberRow, type NumbersResult } from "../report/numbers.js";
import { formatRatio } from "../report/table.js";
import type { ResultHead } from "../results.js";
import type { Bar, FloorBar, LimitBar, SpeedBar } from "./bar.js";
import { bars } from "./list.js";

/** A bar with its measured value. */
export interface BarLine {
  readonly what: string;
  readonly wanted: string;
  /** Undefined when no result file contains it. */
  readonly measured: string | undefined;
  readonly met: boolean;
}

/** Finds the result of a suite. */
export type Lookup = (suite: string) => ResultHead | undefined;

/** Compares every bar with the results. A bar over several workloads gives one line for each. */
export function evaluateBars(lookup: Lookup, list: readonly Bar[] = bars): BarLine[] {
  return list.flatMap((bar) => (bar.kind === "speed" ? speedLines(bar, lookup) : [cellLine(bar, lookup)]));
}

function speedLines(bar: SpeedBar, lookup: Lookup): BarLine[] {
  const result = lookup(bar.suite) as RaceResult | undefined;
  const wanted = `>= ${formatRatio(bar.atLeast)}`;
  const subject = `${bar.operation}, ${bar.candidate} / ${bar.against}`;
  const workloads = bar.workloads === "all" ? (result?.workloads.map(({ id }) => id) ?? []) : bar.workloads;
  const values = workloads.map((workload) => ({ workload, value: result && barRatio(bar, result, workload) }));
  const known = values.flatMap(({ workload, value }) => (value === undefined ? [] : [{ workload, value }]));
  if (bar.geometricMean) {
    const mean = known.length === 0 ? undefined : meanRatio(known.map(({ value }) => value));
    return [speedLine(`${subject}: geometric mean of all workloads`, wanted, mean, bar.atLeast)];
  }
  if (bar.workloads === "all") {
    const worst = known.sort((a, b) => a.value - b.value)[0];
    return [speedLine(`${subject}: any workload, worst ${worst?.workload ?? ""}`, wanted, worst?.value, bar.atLeast)];
  }
  return values.map(({ workload, value }) => speedLine(`${subject}: ${workload}`, wanted, value, bar.atLeast));
}

function speedLine(what: string, wanted: string, value: number | undefined, atLeast: number): BarLine {
  const met = value !== undefined && value >= atLeast;
  return { what, wanted, measured: value === undefined ? undefined : formatRatio(value), met };
}

function barRatio(bar: SpeedBar, result: RaceResult, workload: string): number | undefined {
  return bar.against === "best rival"
    ? ratioToBestRival(result, bar.operation, workload, bar.candidate)
    : ratio(result, bar.operation, workload, bar.candidate, bar.against);
}

function cellLine(bar: LimitBar | FloorBar, lookup: Lookup): BarLine {
  const result = lookup(bar.suite) as NumbersResult | undefined;
  const numbers = result?.tables.find(({ id }) => id === bar.table);
  const row = numbers?.rows.find(({ id }) => id === bar.row);
  const column = numbers?.columns.find(({ id }) => id === bar.column);
  const values = row === undefined ? [] : bar.column === "all" ? Object.values(row.values) : valuesOf(row, bar.column);
  const value = values.length === 0 ? undefined : bar.kind === "limit" ? Math.max(...values) : Math.min(...values);
  const wanted = bar.kind === "limit" ? bar.atMost : bar.atLeast;
  const format = formatOf(column?.unit ?? numbers?.unit ?? (wanted < 10 ? "ratio" : "count"));
  const place = bar.column === "all" ? "" : `, ${column?.title ?? bar.column}`;
  return {
    what: `${bar.suite}, ${numbers?.title ?? bar.table}: ${row?.title ?? bar.row}${place}`,
    wanted: `${bar.kind === "limit" ? "<=" : ">="} ${format(wanted)}`,
    measured: value === undefined ? undefined : format(value),
    met: value !== undefined && (bar.kind === "limit" ? value <= wanted : value >= wanted),
  };
}

function valuesOf({ values }: NumberRow, column: string): number[] {
  return values[column] === undefined ? [] : [values[column]];
}
