/** The value of a query: its evaluation, without the names of metrics that it does not have, in order. */
import type { Grid, Plan, RangePlan, SubqueryPlan } from "../plan/nodes.js";
import { NO_LABELS } from "./labels.js";
import { LABEL_WORK } from "./pace.js";
import type { QueryValue, ResultSeries } from "./result.js";
import type { Run } from "./run.js";
import { eachRange, pointsOf, rangeAt, timesOf, within } from "./selected-ranges.js";
import { mergeEqual, type StepSeries, sameLabels } from "./series.js";

/** Evaluates a plan. `isInstant` is true for an instant query. */
export async function queryValue(run: Run, plan: Plan, grid: Grid, isInstant: boolean): Promise<QueryValue> {
  const { start: time } = grid;
  if (plan.kind === "string") return { resultType: "string", time, value: plan.value };
  if (plan.kind === "range" || plan.kind === "subquery") return rangeOf(run, plan, grid);
  const times = timesOf(grid);
  if (plan.valueType === "scalar") {
    const values = await run.scalar(plan, grid);
    if (isInstant) return { resultType: "scalar", time, value: values[0]! };
    return { resultType: "matrix", series: [{ labels: NO_LABELS, timestamps: times, values }] };
  }
  const series = await named(run, await run.collect(plan, grid));
  if (!isInstant) {
    const rows: ResultSeries[] = [];
    await run.pace.each(series, LABEL_WORK + grid.count, (one) => rows.push(pointsOf(one, times)));
    return { resultType: "matrix", series: await sorted(run, rows) };
  }
  const values = Float64Array.from(series, (one) => one.values[0]!);
  return { resultType: "vector", time, labels: series.map(({ labels }) => labels), values };
}

/** Removes the names of metrics that results do not have. Throws `ERR_PROMQL_EXECUTION` for series that become equal. */
async function named({ pace }: Run, series: readonly StepSeries[]): Promise<StepSeries[]> {
  await pace.each(series, LABEL_WORK, (one) => {
    if (one.dropName) one.labels = one.labels.withoutMetric();
  });
  return mergeEqual(pace, series);
}

/** The samples of a range selector, or the points of a subquery. */
async function rangeOf(run: Run, plan: RangePlan | SubqueryPlan, grid: Grid): Promise<QueryValue> {
  const series = new Map<string, ResultSeries>();
  const { from, to } = rangeAt(plan, grid);
  await eachRange(run, plan, (one) => {
    const { timestamps, values } = within(one, from, to);
    if (values.length === 0) return undefined;
    run.budget.hold(values.length);
    const labels = one.dropName ? one.labels.withoutMetric() : one.labels;
    const other = series.get(labels.key);
    const own = { labels, timestamps, values };
    series.set(labels.key, other === undefined ? own : merged(other, own));
    return undefined;
  });
  return { resultType: "matrix", series: await sorted(run, [...series.values()]) };
}

/** Merges two series by time. Throws `ERR_PROMQL_EXECUTION` if they have a time in common. */
function merged(a: ResultSeries, b: ResultSeries): ResultSeries {
  const points = [a, b].flatMap(({ timestamps, values }) =>
    Array.from(timestamps, (time, i) => ({ time, value: values[i]! })),
  );
  points.sort((x, y) => x.time - y.time);
  if (points.some(({ time }, i) => i > 0 && points[i - 1]!.time === time)) throw sameLabels();
  return {
    labels: a.labels,
    timestamps: Float64Array.from(points, ({ time }) => time),
    values: Float64Array.from(points, ({ value }) => value),
  };
}

function sorted({ pace }: Run, series: readonly ResultSeries[]): Promise<ResultSeries[]> {
  return pace.sort(series, (a, b) => a.labels.compare(b.labels));
}
