/** Aggregations that need one or a few numbers a step: series are added as they are read. */
import type { AggregationOperator } from "../../parse/nodes.js";
import type { AggregationPlan, Grid } from "../../plan/nodes.js";
import { SERIES_POINTS } from "../budget.js";
import type { Labels } from "../labels.js";
import { LABEL_WORK } from "../pace.js";
import type { Run } from "../run.js";
import { emptySeries, type Sink, type StepSeries } from "../series.js";
import { Groups } from "./groups.js";
import { Mean } from "./mean.js";
import { Sum } from "./sum.js";
import { Variance } from "./variance.js";

/** Adds the series of a group. `out` has the result after `finish`; `present` is 1 for steps that have a value. */
export interface Fold {
  add(series: StepSeries): void;
  finish(): void;
}

/** Evaluates `sum`, `avg`, `min`, `max`, `count`, `group`, `stddev` or `stdvar`. Memory is groups times steps. */
export async function eachFolded(run: Run, plan: AggregationPlan, grid: Grid, sink: Sink<StepSeries>): Promise<void> {
  const groups = new Groups(plan, (labels) => {
    run.budget.hold(grid.count * (plan.operator === "sum" || plan.operator === "avg" ? 2 : 1) + SERIES_POINTS);
    return new Group(plan.operator, labels, grid);
  });
  await run.each(plan.expression, grid, (series) => {
    groups.of(series.labels).add(series);
    return run.pace.spend(LABEL_WORK + grid.count);
  });
  for (const group of groups.all.values()) {
    const wait = sink(group.finish());
    if (wait !== undefined) await wait;
  }
}

class Group {
  readonly #out: StepSeries;
  readonly #fold: Fold;
  #last = -1;

  constructor(operator: AggregationOperator, labels: Labels, grid: Grid) {
    this.#out = emptySeries(labels, false, grid);
    this.#fold = foldOf(operator, this.#out);
  }

  add(series: StepSeries): void {
    this.#fold.add(series);
    // As in Prometheus, the last step of the group says whether it has a metric's name.
    const last = series.present.lastIndexOf(1);
    if (last < this.#last) return;
    this.#out.dropName = series.dropName || (last === this.#last && this.#out.dropName);
    this.#last = last;
  }

  finish(): StepSeries {
    this.#fold.finish();
    return this.#out;
  }
}

function foldOf(operator: AggregationOperator, out: StepSeries): Fold {
  switch (operator) {
    case "sum":
      return new Sum(out);
    case "avg":
      return new Mean(out);
    case "stddev":
      return new Variance(out, Math.sqrt);
    case "stdvar":
      return new Variance(out, (variance) => variance);
    case "count":
      return counting(out);
    case "max":
      return best(out, (value, other) => other < value || Number.isNaN(other));
    case "min":
      return best(out, (value, other) => other > value || Number.isNaN(other));
    default:
      return grouping(out);
  }
}

function counting(out: StepSeries): Fold {
  return {
    add({ present }) {
      for (let i = 0; i < present.length; i++) if (present[i] === 1) out.values[i]!++;
    },
    finish: () => markPositive(out),
  };
}

function grouping(out: StepSeries): Fold {
  return {
    add({ present }) {
      for (let i = 0; i < present.length; i++) if (present[i] === 1) out.values[i] = 1;
    },
    finish: () => markPositive(out),
  };
}

function markPositive({ values, present }: StepSeries): void {
  for (let i = 0; i < values.length; i++) if (values[i]! > 0) present[i] = 1;
}

/** Keeps a value that is better than the other one. */
function best(out: StepSeries, isBetter: (value: number, other: number) => boolean): Fold {
  return {
    add({ values, present }) {
      for (let i = 0; i < present.length; i++) {
        if (present[i] === 0) continue;
        if (out.present[i] === 0 || isBetter(values[i]!, out.values[i]!)) out.values[i] = values[i]!;
        out.present[i] = 1;
      }
    },
    finish() {},
  };
}
