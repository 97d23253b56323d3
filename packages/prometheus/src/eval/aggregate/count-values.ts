/** `count_values`: the number of series with each value, which becomes a label. */
import { isWellFormed } from "moonpack/bytes";
import { PrometheusError } from "../../errors.js";
import { formatNumber } from "../../parse/format-number.js";
import type { StringLiteral } from "../../parse/nodes.js";
import { quoteText } from "../../parse/quote.js";
import type { AggregationPlan, Grid } from "../../plan/nodes.js";
import { SERIES_POINTS } from "../budget.js";
import { LABEL_WORK } from "../pace.js";
import type { Run } from "../run.js";
import { emptySeries, type StepSeries } from "../series.js";
import { Groups } from "./groups.js";

/** Evaluates one. Memory is distinct values times steps. */
export async function countValues(run: Run, plan: AggregationPlan, grid: Grid): Promise<StepSeries[]> {
  const label = (plan.parameter as StringLiteral).value;
  if (label === "" || !isWellFormed(label))
    throw new PrometheusError("ERR_PROMQL_EXECUTION", `invalid label name ${quoteText(label)}`);
  const grouping = plan.isWithout ? plan.grouping : [...new Set([...plan.grouping, label])];
  const groups = new Groups({ ...plan, grouping }, (labels) => {
    run.budget.hold(grid.count + SERIES_POINTS);
    return emptySeries(labels, false, grid);
  });
  await run.each(plan.expression, grid, async (series) => {
    const known = new Map<number, StepSeries>();
    for (let i = 0; i < grid.count; i++) {
      if (series.present[i] === 0) continue;
      const value = series.values[i]!;
      // The key -0 of a map is 0.
      const group =
        (value === 0 ? undefined : known.get(value)) ?? groups.of(series.labels.with([[label, formatNumber(value)]]));
      known.set(value, group);
      group.values[i]!++;
      group.present[i] = 1;
      const wait = run.pace.spend(LABEL_WORK);
      if (wait !== undefined) await wait;
    }
  });
  return [...groups.all.values()];
}
