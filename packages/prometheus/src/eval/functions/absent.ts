/** `absent` and `absent_over_time`: 1 where a vector has no series. */
import type { CallPlan, Grid, Plan } from "../../plan/nodes.js";
import { Labels, METRIC_NAME, NO_LABELS } from "../labels.js";
import { eachRangeCall } from "../range/call.js";
import type { Run } from "../run.js";
import { emptySeries, nextStep, type Sink, type StepSeries } from "../series.js";

/** Evaluates either function. */
export async function absent(run: Run, call: CallPlan, grid: Grid, sink: Sink<StepSeries>): Promise<void> {
  const [argument] = call.arguments;
  const out = emptySeries(labelsOf(argument!), call.name === "absent_over_time", grid);
  const { present } = out;
  present.fill(1);
  const remove = (series: StepSeries): undefined => {
    for (let i = 0; i < present.length; i++) if (series.present[i] === 1) present[i] = 0;
  };
  if (call.name === "absent") await run.each(argument!, grid, remove);
  else await eachRangeCall(run, call, grid, remove);
  out.values.fill(1);
  if (nextStep(out) < grid.count) await sink(out);
}

/** The labels that the selector states: each with one `=`. */
function labelsOf(plan: Plan): Labels {
  if (plan.kind !== "selector" && plan.kind !== "range") return NO_LABELS;
  const labels = new Map<string, string>();
  const stated = new Set<string>();
  for (const { name, operator, value } of plan.matchers) {
    if (name === METRIC_NAME) continue;
    if (operator === "=" && !stated.has(name)) {
      labels.set(name, value);
      stated.add(name);
    } else labels.delete(name);
  }
  return Labels.of(labels);
}
