/** Calls of functions of ranges. */
import { PrometheusError } from "../../errors.js";
import type { CallPlan, Grid, RangePlan, SubqueryPlan } from "../../plan/nodes.js";
import { METRIC_NAME } from "../labels.js";
import { WORK_UNITS } from "../pace.js";
import type { Run } from "../run.js";
import { eachRange } from "../selected-ranges.js";
import { after, emptySeries, type RangeSeries, type Sink, type StepSeries } from "../series.js";
import { rangeFunctionOf } from "./table.js";
import type { RangeFunction, Window } from "./window.js";

/** The most samples of a range, times their cost, that a function reads at one step: it has no turn of the event loop meanwhile. */
const MAX_WINDOW = 2_500_000;
const COUNTER = /_(?:total|sum|count|bucket)$/;

/** Returns the argument of a call that is a range; undefined if it has none. */
export function rangeOf({ arguments: args }: CallPlan): RangePlan | SubqueryPlan | undefined {
  return args.find((argument) => argument.kind === "range" || argument.kind === "subquery");
}

/** Evaluates a call with a range as an argument, series by series. */
export async function eachRangeCall(run: Run, call: CallPlan, grid: Grid, sink: Sink<StepSeries>): Promise<void> {
  const { name } = call;
  const range = rangeOf(call)!;
  const parameters: Float64Array[] = [];
  for (const argument of call.arguments) if (argument !== range) parameters.push(await run.scalar(argument, grid));
  const keepsName = name === "last_over_time" || name === "first_over_time";
  const isCounter = name === "rate" || name === "increase";
  // Prometheus does not keep the place of a subquery.
  const start = range.kind === "subquery" && range === call.arguments[0] ? 0 : call.arguments[0]!.start;
  // Noted after all series: a subquery computes its series one after the other, and of equal notes the last place counts.
  const metrics = new Set<string>();
  const quantiles = new Set<number>();
  const fn = rangeFunctionOf(call, range, parameters, (quantile) => quantiles.add(quantile));
  const sweep = new Sweep(fn, range, grid);
  await eachRange(run, range, (series) => {
    run.budget.pass(series.timestamps.length + grid.count);
    const out = emptySeries(series.labels, !keepsName || series.dropName, grid);
    sweep.begin(series);
    const finish = (): Promise<void> | undefined => {
      if (!sweep.hasAny) return undefined;
      const metric = isCounter ? series.labels.get(METRIC_NAME) : "";
      if (metric !== "" && !COUNTER.test(metric)) metrics.add(metric);
      return sink(out);
    };
    if (sweep.advance(out)) return after(run.pace.spend(grid.count), finish);
    return finishLater(run, sweep, out, finish);
  });
  for (const metric of metrics) run.notes.notCounter(metric, start);
  for (const quantile of quantiles) run.notes.quantile(quantile, call.arguments[0]!.start);
}

/** Finishes a series whose ranges have many samples, in slices of time. */
async function finishLater(
  run: Run,
  sweep: Sweep,
  out: StepSeries,
  finish: () => Promise<void> | undefined,
): Promise<void> {
  do await run.pace.spend(WORK_UNITS);
  while (!sweep.advance(out));
  await finish();
}

function tooLong({ cost }: RangeFunction): PrometheusError {
  const text = `a range of a series has more than ${MAX_WINDOW / cost} samples, which this function would read at once`;
  return new PrometheusError("ERR_LIMIT_SAMPLES", text);
}

/** Moves the range over one series after the other. */
class Sweep {
  hasAny = false;
  readonly #function: RangeFunction;
  readonly #plan: RangePlan | SubqueryPlan;
  readonly #grid: Grid;
  #step = 0;
  readonly #window: Window = {
    timestamps: new Float64Array(0),
    values: new Float64Array(0),
    low: 0,
    high: 0,
    from: 0,
    to: 0,
    step: 0,
    time: 0,
  };

  constructor(fn: RangeFunction, plan: RangePlan | SubqueryPlan, grid: Grid) {
    this.#function = fn;
    this.#plan = plan;
    this.#grid = grid;
  }

  /** Begins with another series. */
  begin({ timestamps, values }: RangeSeries): void {
    const window = this.#window;
    window.timestamps = timestamps;
    window.values = values;
    window.low = 0;
    window.high = 0;
    this.#step = 0;
    this.hasAny = false;
    this.#function.begin?.(window);
  }

  /** Computes steps until about `WORK_UNITS` samples were read. Returns true after the last step. */
  advance({ values, present }: StepSeries): boolean {
    const fn = this.#function;
    const window = this.#window;
    const { timestamps } = window;
    const { offset, at, range } = this.#plan;
    const { start, step, count } = this.#grid;
    const { length } = timestamps;
    for (let work = 0; this.#step < count && work < WORK_UNITS; this.#step++) {
      const time = start + this.#step * step;
      const to = (at ?? time) - offset;
      const from = to - range;
      while (window.high < length && timestamps[window.high]! <= to) window.high++;
      while (window.low < window.high && timestamps[window.low]! <= from) window.low++;
      const samples = window.high - window.low;
      work += fn.cost === 0 ? 1 : samples + 1;
      if (samples < fn.least) continue;
      if (samples * fn.cost > MAX_WINDOW) throw tooLong(fn);
      window.from = from;
      window.to = to;
      window.time = time;
      window.step = this.#step;
      values[this.#step] = fn.value(window);
      present[this.#step] = 1;
      this.hasAny = true;
    }
    return this.#step === count;
  }
}
