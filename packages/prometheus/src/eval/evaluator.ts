/** Evaluates the nodes of a plan over all their steps. */
import type { BinaryPlan, CallPlan, Grid, Plan } from "../plan/nodes.js";
import { firstOf } from "../plan/plan.js";
import { eachAggregated } from "./aggregate/aggregate.js";
import { type Budget, SERIES_POINTS } from "./budget.js";
import { eachCalled } from "./functions/call.js";
import { addInfo } from "./functions/info.js";
import { scalarCalled } from "./functions/scalars.js";
import type { Notes } from "./notes.js";
import { eachCombined } from "./operators/binary.js";
import { scalarsCombined } from "./operators/scalars.js";
import type { Pace } from "./pace.js";
import type { Run } from "./run.js";
import type { Samples } from "./samples.js";
import { eachSelected } from "./selector.js";
import { emptySeries, type Sink, type StepSeries } from "./series.js";

/** The evaluation of one query. */
export class Evaluator implements Run {
  readonly pace: Pace;
  readonly budget: Budget;
  readonly notes: Notes;
  readonly samples: Samples;
  readonly lookback: number;

  constructor(pace: Pace, budget: Budget, notes: Notes, samples: Samples, lookback: number) {
    this.pace = pace;
    this.budget = budget;
    this.notes = notes;
    this.samples = samples;
    this.lookback = lookback;
  }

  async collect(plan: Plan, grid: Grid): Promise<StepSeries[]> {
    const all: StepSeries[] = [];
    await this.each(plan, grid, (series) => {
      this.budget.hold(grid.count + SERIES_POINTS);
      all.push(series);
      return undefined;
    });
    return all;
  }

  async each(plan: Plan, grid: Grid, sink: Sink<StepSeries>): Promise<void> {
    this.pace.check();
    switch (plan.kind) {
      case "selector":
        return eachSelected(this, plan, grid, sink);
      case "negate":
        return this.each(plan.expression, grid, (series) => {
          negate(series.values);
          series.dropName = true;
          return sink(series);
        });
      case "plus":
        return this.each(plan.expression, grid, sink);
      case "binary":
        return eachCombined(this, plan, grid, sink);
      case "aggregation":
        return eachAggregated(this, plan, grid, sink);
      case "invariant":
        return this.each(plan.expression, firstOf(grid), ({ labels, dropName, values }) => {
          const series = emptySeries(labels, dropName, grid);
          series.values.fill(values[0]!);
          series.present.fill(1);
          return sink(series);
        });
      case "info":
        for (const series of await addInfo(this, plan, grid)) await sink(series);
        return;
      default:
        return eachCalled(this, plan as CallPlan, grid, sink);
    }
  }

  async scalar(plan: Plan, grid: Grid): Promise<Float64Array> {
    this.pace.check();
    this.budget.pass(grid.count);
    const values = await this.#scalar(plan, grid);
    await this.pace.spend(grid.count);
    return values;
  }

  async #scalar(plan: Plan, grid: Grid): Promise<Float64Array> {
    switch (plan.kind) {
      case "number":
        return new Float64Array(grid.count).fill(plan.value);
      case "negate":
        return negate(await this.scalar(plan.expression, grid));
      case "plus":
        return this.scalar(plan.expression, grid);
      case "invariant": {
        const [value] = await this.scalar(plan.expression, firstOf(grid));
        return new Float64Array(grid.count).fill(value!);
      }
      case "call":
        return scalarCalled(this, plan, grid);
      default:
        return scalarsCombined(this, plan as BinaryPlan, grid);
    }
  }
}

function negate(values: Float64Array): Float64Array {
  for (let i = 0; i < values.length; i++) values[i] = -values[i]!;
  return values;
}
