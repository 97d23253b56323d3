/** The state of a query that is evaluated, and the evaluation of its parts. */
import type { Grid, Plan } from "../plan/nodes.js";
import type { Budget } from "./budget.js";
import type { Notes } from "./notes.js";
import type { Pace } from "./pace.js";
import type { Samples } from "./samples.js";
import type { Sink, StepSeries } from "./series.js";

/** A query that is evaluated. Functions and operators evaluate their operands by it. */
export interface Run {
  readonly pace: Pace;
  readonly budget: Budget;
  readonly notes: Notes;
  readonly samples: Samples;
  /** The age at which a sample is not the value of a series any more, in milliseconds. */
  readonly lookback: number;
  /** Evaluates a vector, series by series: each has a value at a step at least. */
  each(plan: Plan, grid: Grid, sink: Sink<StepSeries>): Promise<void>;
  /** Evaluates a vector into an array. */
  collect(plan: Plan, grid: Grid): Promise<StepSeries[]>;
  /** Evaluates a scalar: a value for each step. */
  scalar(plan: Plan, grid: Grid): Promise<Float64Array>;
}
