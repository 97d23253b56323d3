/** Functions that are applied to each value of a vector: of numbers, of dates, `clamp` and `round`. */
import type { CallPlan, Grid, Plan } from "../../plan/nodes.js";
import { maxOf, minOf } from "../../plan/numbers.js";
import { NO_LABELS } from "../labels.js";
import type { Run } from "../run.js";
import { timesOf } from "../selected-ranges.js";
import { after, fullSeries, nextStep, type Sink, type StepSeries } from "../series.js";
import { dateFunctionOf } from "./dates.js";
import { numberFunctionOf } from "./numbers.js";

/** Returns the value of a step: of the vector's value and the index of the step. */
type OfStep = (value: number, step: number) => number;

/** Evaluates a call series by series; undefined for another function. */
export function eachElementwise(
  run: Run,
  call: CallPlan,
  grid: Grid,
  sink: Sink<StepSeries>,
): Promise<void> | undefined {
  const { name, arguments: args } = call;
  const [vector] = args;
  const ofNumber = numberFunctionOf(name);
  if (ofNumber !== undefined) return apply(run, vector!, grid, ofNumber, sink);
  const ofDate = dateFunctionOf(name);
  if (ofDate !== undefined)
    return vector === undefined ? dateOfSteps(run, grid, ofDate, sink) : apply(run, vector, grid, ofDate, sink);
  switch (name) {
    case "clamp":
    case "clamp_max":
    case "clamp_min":
      return clamp(run, call, grid, sink);
    case "round":
      return round(run, call, grid, sink);
    default:
      return undefined;
  }
}

async function apply(run: Run, vector: Plan, grid: Grid, of: OfStep, sink: Sink<StepSeries>): Promise<void> {
  await run.each(vector, grid, (series) => {
    const { values } = series;
    series.dropName = true;
    const wait = run.pace.slices(values.length, (from, to) => {
      for (let i = from; i < to; i++) values[i] = of(values[i]!, i);
    });
    return after(wait, () => sink(series));
  });
}

async function dateOfSteps(run: Run, grid: Grid, of: OfStep, sink: Sink<StepSeries>): Promise<void> {
  const values = timesOf(grid);
  await run.pace.slices(values.length, (from, to) => {
    for (let i = from; i < to; i++) values[i] = of(Math.trunc(values[i]! / 1000), i);
  });
  await sink(fullSeries(NO_LABELS, values));
}

async function clamp(run: Run, { name, arguments: args }: CallPlan, grid: Grid, sink: Sink<StepSeries>): Promise<void> {
  const bounds: Float64Array[] = [];
  for (const argument of args.slice(1)) bounds.push(await run.scalar(argument, grid));
  const least = name === "clamp_max" ? undefined : bounds[0];
  const greatest = name === "clamp_min" ? undefined : bounds.at(-1);
  const leastAt = (i: number): number => least?.[i] ?? Number.NEGATIVE_INFINITY;
  const greatestAt = (i: number): number => greatest?.[i] ?? Number.POSITIVE_INFINITY;
  const of: OfStep = (value, i) => maxOf(leastAt(i), minOf(greatestAt(i), value));
  await apply(run, args[0]!, grid, of, (series) => {
    // Without a number between the bounds the result is empty.
    for (let i = 0; i < grid.count; i++) if (greatestAt(i) < leastAt(i)) series.present[i] = 0;
    return nextStep(series) < grid.count ? sink(series) : undefined;
  });
}

async function round(run: Run, { arguments: args }: CallPlan, grid: Grid, sink: Sink<StepSeries>): Promise<void> {
  const nearest = args[1] === undefined ? undefined : await run.scalar(args[1], grid);
  const of: OfStep = (value, i) => {
    const inverse = 1 / (nearest?.[i] ?? 1);
    return Math.floor(value * inverse + 0.5) / inverse;
  };
  await apply(run, args[0]!, grid, of, sink);
}
