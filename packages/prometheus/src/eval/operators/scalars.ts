/** Operators with a scalar. */
import { PrometheusError } from "../../errors.js";
import type { BinaryPlan, Grid } from "../../plan/nodes.js";
import type { Run } from "../run.js";
import { after, nextStep, type Sink, type StepSeries } from "../series.js";
import { operationOf } from "./arithmetic.js";

/** Evaluates an operator between two scalars. */
export async function scalarsCombined(run: Run, plan: BinaryPlan, grid: Grid): Promise<Float64Array> {
  const left = await run.scalar(plan.left, grid);
  const right = await run.scalar(plan.right, grid);
  const operation = operationOf(plan.operator);
  if (operation === undefined)
    throw new PrometheusError("ERR_PROMQL_EXECUTION", `operator "${plan.operator}" not allowed for Scalar operations`);
  const { isComparison, value, keeps } = operation;
  await run.pace.slices(left.length, (from, to) => {
    for (let i = from; i < to; i++)
      left[i] = isComparison ? Number(keeps(left[i]!, right[i]!)) : value(left[i]!, right[i]!);
  });
  return left;
}

/** Evaluates an operator between a vector and a scalar, series by series. */
export async function eachWithScalar(run: Run, plan: BinaryPlan, grid: Grid, sink: Sink<StepSeries>): Promise<void> {
  const { operator, left, right, returnsBool } = plan;
  const isSwapped = left.valueType === "scalar";
  // Prometheus evaluates the left side first.
  const early = isSwapped ? await run.scalar(left, grid) : undefined;
  const operation = operationOf(operator);
  const late = early ?? (await run.scalar(right, grid));
  await run.each(isSwapped ? right : left, grid, (series) => {
    const { values, present } = series;
    if (operation === undefined) {
      run.notes.incompatible(operator, plan.start);
      return undefined;
    }
    const wait = run.pace.slices(values.length, (from, to) => {
      for (let i = from; i < to; i++) {
        if (present[i] === 0) continue;
        const value = values[i]!;
        const first = isSwapped ? late[i]! : value;
        const second = isSwapped ? value : late[i]!;
        if (!operation.isComparison) values[i] = operation.value(first, second);
        else if (returnsBool) values[i] = operation.keeps(first, second) ? 1 : 0;
        // A comparison keeps the vector's value, whichever side it is on.
        else if (!operation.keeps(first, second)) present[i] = 0;
      }
    });
    series.dropName ||= operation.changesMetric || returnsBool;
    return after(wait, () => (nextStep(series) < values.length ? sink(series) : undefined));
  });
}
