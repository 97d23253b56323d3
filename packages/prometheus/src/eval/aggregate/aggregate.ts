/** Aggregations. */
import type { AggregationPlan, Grid } from "../../plan/nodes.js";
import type { Run } from "../run.js";
import type { Sink, StepSeries } from "../series.js";
import { countValues } from "./count-values.js";
import { eachFolded } from "./fold.js";
import { quantiles } from "./quantile.js";
import { selectSeries } from "./select.js";

/** Evaluates an aggregation, series by series. */
export async function eachAggregated(
  run: Run,
  plan: AggregationPlan,
  grid: Grid,
  sink: Sink<StepSeries>,
): Promise<void> {
  let series: StepSeries[];
  switch (plan.operator) {
    case "topk":
    case "bottomk":
    case "limitk":
    case "limit_ratio":
      series = await selectSeries(run, plan, grid);
      break;
    case "count_values":
      series = await countValues(run, plan, grid);
      break;
    case "quantile":
      series = await quantiles(run, plan, grid);
      break;
    default:
      return eachFolded(run, plan, grid, sink);
  }
  for (const one of series) {
    const wait = sink(one);
    if (wait !== undefined) await wait;
  }
}
