/** Operators between two expressions, of which one is a vector at least. */
import type { BinaryPlan, Grid } from "../../plan/nodes.js";
import type { Run } from "../run.js";
import type { Sink, StepSeries } from "../series.js";
import { eachWithScalar } from "./scalars.js";
import { setsCombined } from "./sets.js";
import { vectorsCombined } from "./vectors.js";

/** Evaluates an operator, series by series. */
export async function eachCombined(run: Run, plan: BinaryPlan, grid: Grid, sink: Sink<StepSeries>): Promise<void> {
  if (plan.left.valueType === "scalar" || plan.right.valueType === "scalar")
    return eachWithScalar(run, plan, grid, sink);
  const isSet = plan.matching!.cardinality === "many-to-many";
  for (const series of isSet ? await setsCombined(run, plan, grid) : await vectorsCombined(run, plan, grid)) {
    const wait = sink(series);
    if (wait !== undefined) await wait;
  }
}
