/** Calls of functions that return a vector. */
import type { CallPlan, Grid } from "../../plan/nodes.js";
import { NO_LABELS } from "../labels.js";
import { eachRangeCall, rangeOf } from "../range/call.js";
import type { Run } from "../run.js";
import { eachSelected } from "../selector.js";
import { after, fullSeries, type Sink, type StepSeries } from "../series.js";
import { absent } from "./absent.js";
import { eachElementwise } from "./elementwise.js";
import { histogramCall } from "./histograms.js";
import { labelJoin, labelReplace } from "./labels.js";
import { sorted } from "./sort.js";

/** Evaluates a call, series by series. */
export async function eachCalled(run: Run, call: CallPlan, grid: Grid, sink: Sink<StepSeries>): Promise<void> {
  const { name } = call;
  const [argument] = call.arguments;
  if (name === "absent" || name === "absent_over_time") return absent(run, call, grid, sink);
  if (rangeOf(call) !== undefined) return eachRangeCall(run, call, grid, sink);
  if (name === "timestamp") return timestamps(run, call, grid, sink);
  if (name === "vector") {
    await sink(fullSeries(NO_LABELS, await run.scalar(argument!, grid)));
    return;
  }
  const elementwise = eachElementwise(run, call, grid, sink);
  if (elementwise !== undefined) return elementwise;
  for (const series of await collected(run, call, grid)) {
    const wait = sink(series);
    if (wait !== undefined) await wait;
  }
}

/** Evaluates a function that needs all series at once. */
async function collected(run: Run, call: CallPlan, grid: Grid): Promise<StepSeries[]> {
  const { name } = call;
  switch (name) {
    case "label_replace":
      return labelReplace(run, call, grid);
    case "label_join":
      return labelJoin(run, call, grid);
    case "sort":
    case "sort_desc":
    case "sort_by_label":
    case "sort_by_label_desc":
      return sorted(run, call, grid);
    case "histogram_fraction":
    case "histogram_quantile":
    case "histogram_quantiles":
      return histogramCall(run, call, grid);
    default:
      // Functions of native histograms and `start_timestamp` have no results for floats without start times.
      await run.each(call.arguments[0]!, grid, () => undefined);
      return [];
  }
}

/** `timestamp`: the times of a selector's samples; for other vectors the times of the steps. */
async function timestamps(run: Run, call: CallPlan, grid: Grid, sink: Sink<StepSeries>): Promise<void> {
  const [argument] = call.arguments;
  const named: Sink<StepSeries> = (series) => {
    series.dropName = true;
    return sink(series);
  };
  if (argument!.kind === "selector") return eachSelected(run, argument!, grid, named, true);
  await run.each(argument!, grid, (series) => {
    for (let i = 0; i < grid.count; i++) series.values[i] = (grid.start + i * grid.step) / 1000;
    return after(run.pace.spend(grid.count), () => named(series));
  });
}
