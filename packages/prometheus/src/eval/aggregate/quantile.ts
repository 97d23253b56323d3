/** The aggregation `quantile`. */
import type { AggregationPlan, Grid } from "../../plan/nodes.js";
import type { Labels } from "../labels.js";
import { LABEL_WORK } from "../pace.js";
import { quantileOf } from "../quantile.js";
import type { Run } from "../run.js";
import { emptySeries, type StepSeries } from "../series.js";
import { Groups } from "./groups.js";
import { parameterOf } from "./parameter.js";

/** Evaluates one. */
export async function quantiles(run: Run, plan: AggregationPlan, grid: Grid): Promise<StepSeries[]> {
  const { values, least, greatest, hasNaN } = parameterOf(await run.scalar(plan.parameter!, grid));
  const { start } = plan.parameter!;
  const groups = new Groups(plan, (labels: Labels) => ({ labels, series: [] as StepSeries[] }));
  await run.pace.each(await run.collect(plan.expression, grid), LABEL_WORK, (series) => {
    groups.of(series.labels).series.push(series);
  });
  if (hasNaN) run.notes.quantile(Number.NaN, start);
  if (greatest > 1) run.notes.quantile(greatest, start);
  if (least < 0) run.notes.quantile(least, start);
  const results: StepSeries[] = [];
  for (const { labels, series } of groups.all.values()) {
    run.budget.hold(grid.count);
    const out = emptySeries(labels, false, grid);
    const scratch = new Float64Array(series.length);
    for (let step = 0; step < grid.count; step++) {
      let count = 0;
      for (const one of series) {
        if (one.present[step] === 0) continue;
        scratch[count++] = one.values[step]!;
        out.dropName = count === 1 ? one.dropName : out.dropName || one.dropName;
      }
      if (count === 0) continue;
      out.values[step] = quantileOf(values[step]!, scratch, count);
      out.present[step] = 1;
      const wait = run.pace.spend(count);
      if (wait !== undefined) await wait;
    }
    results.push(out);
  }
  return results;
}
