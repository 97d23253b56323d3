/** `sort`, `sort_desc`, `sort_by_label` and `sort_by_label_desc`: for instant queries only. */
import type { StringLiteral } from "../../parse/nodes.js";
import type { CallPlan, Grid } from "../../plan/nodes.js";
import type { Labels } from "../labels.js";
import type { Run } from "../run.js";
import type { StepSeries } from "../series.js";
import { isBefore } from "./natural-order.js";

/** Evaluates one. Range queries warn, since their results are sorted by labels. */
export async function sorted(run: Run, call: CallPlan, grid: Grid): Promise<StepSeries[]> {
  const { name, arguments: args, start } = call;
  const series = await run.collect(args[0]!, grid);
  if (!grid.isInstant) {
    run.notes.warn("sort is ineffective for range queries since results are always ordered by labels", start);
    return series;
  }
  const sign = name.endsWith("_desc") ? -1 : 1;
  if (!name.startsWith("sort_by_label"))
    return run.pace.sort(series, (a, b) => compareValues(a.values[0]!, b.values[0]!, sign));
  const names = args.slice(1).map((argument) => (argument as StringLiteral).value);
  return run.pace.sort(series, (a, b) => sign * compareLabels(a.labels, b.labels, names));
}

/** NaN is last in both orders. */
function compareValues(a: number, b: number, sign: number): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
  return a === b ? 0 : a < b ? -sign : sign;
}

function compareLabels(a: Labels, b: Labels, names: readonly string[]): number {
  for (const name of names) {
    const x = a.get(name);
    const y = b.get(name);
    if (x !== y) return isBefore(x, y) ? -1 : 1;
  }
  return a.compare(b);
}
