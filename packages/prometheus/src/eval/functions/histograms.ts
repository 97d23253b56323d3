/** `histogram_quantile`, `histogram_quantiles` and `histogram_fraction` of classic histograms. */
import type { StringLiteral } from "../../parse/nodes.js";
import { quoteText } from "../../parse/quote.js";
import type { CallPlan, Grid, Plan } from "../../plan/nodes.js";
import { SERIES_POINTS } from "../budget.js";
import { type Labels, METRIC_NAME } from "../labels.js";
import { withMetric } from "../notes.js";
import { LABEL_WORK } from "../pace.js";
import { isQuantile } from "../quantile.js";
import type { Run } from "../run.js";
import { emptySeries, mergeEqual, type StepSeries } from "../series.js";
import { formatBound, parseBound } from "./bounds.js";
import { addBucket, type Buckets, bucketFraction, bucketQuantile } from "./buckets.js";

const BUCKET = "le";

/** The buckets of a histogram, the least bound first. */
interface Histogram {
  readonly labels: Labels;
  readonly buckets: { readonly bound: number; readonly series: StepSeries }[];
}

/** A result for each histogram: its labels, and its value at a step; without one, the step has none. */
interface Output {
  readonly labelsOf: (labels: Labels) => Labels;
  readonly valueAt: (buckets: Buckets, step: number, labels: Labels) => number | undefined;
}

/** Evaluates one of the three. */
export async function histogramCall(run: Run, call: CallPlan, grid: Grid): Promise<StepSeries[]> {
  const { name, arguments: args } = call;
  if (name === "histogram_fraction") {
    const lower = await run.scalar(args[0]!, grid);
    const upper = await run.scalar(args[1]!, grid);
    const valueAt: Output["valueAt"] = (buckets, step) => bucketFraction(lower[step]!, upper[step]!, buckets);
    return evaluated(run, await histogramsOf(run, args[2]!, grid), grid, [{ labelsOf: (labels) => labels, valueAt }]);
  }
  const isMany = name === "histogram_quantiles";
  const vector = args[isMany ? 0 : 1]!;
  const label = isMany ? (args[1] as StringLiteral).value : undefined;
  const parameters = isMany ? args.slice(2) : args.slice(0, 1);
  // In the order of the arguments, and then the call's own notes: of equal ones the last place counts.
  const early = isMany ? await histogramsOf(run, vector, grid) : undefined;
  const quantiles: Float64Array[] = [];
  for (const parameter of parameters) quantiles.push(await run.scalar(parameter, grid));
  const histograms = early ?? (await histogramsOf(run, vector, grid));
  const outputs: Output[] = [];
  for (const [i, values] of quantiles.entries()) {
    await run.pace.each(values, LABEL_WORK, (value) => {
      if (!isQuantile(value)) run.notes.quantile(value, parameters[i]!.start);
    });
    for (const output of quantilesOf(run, values, grid, vector.start, label)) outputs.push(output);
  }
  return evaluated(run, histograms, grid, outputs);
}

/** The results for a parameter: with a label for the quantile, one for each of its values. */
function quantilesOf(run: Run, values: Float64Array, grid: Grid, start: number, label: string | undefined): Output[] {
  const outputOf = (only: number | undefined): Output => ({
    labelsOf: (labels) => (only === undefined ? labels : labels.with([[label!, formatBound(only)]])),
    valueAt(buckets, step, labels) {
      const value = values[step]!;
      if (only !== undefined && !Object.is(only, value)) return undefined;
      return bucketQuantile(value, buckets, (raised) => {
        const time = grid.start + step * grid.step;
        run.notes.raised(labels.get(METRIC_NAME), { ...raised, time }, start);
      });
    },
  });
  return label === undefined ? [outputOf(undefined)] : [...new Set(values)].map(outputOf);
}

/** Returns the results of each histogram. All see the same buckets, whose falling counts are raised once. */
async function evaluated(
  run: Run,
  histograms: readonly Histogram[],
  grid: Grid,
  outputs: readonly Output[],
): Promise<StepSeries[]> {
  const results: StepSeries[] = [];
  for (const histogram of histograms) {
    run.budget.hold(outputs.length * (grid.count + SERIES_POINTS));
    const all = outputs.map(({ labelsOf }) => emptySeries(labelsOf(histogram.labels), true, grid));
    for (let step = 0; step < grid.count; step++) {
      const buckets: Buckets = { bounds: [], counts: [] };
      for (const { bound, series } of histogram.buckets)
        if (series.present[step] === 1) addBucket(buckets, bound, series.values[step]!);
      const wait = run.pace.spend((1 + outputs.length) * histogram.buckets.length);
      if (wait !== undefined) await wait;
      if (buckets.bounds.length > 0) setStep(all, outputs, buckets, step, histogram.labels);
    }
    const found = all.filter(({ present }) => present.includes(1));
    // Equal quantiles: an instant query fails at its end only.
    for (const one of grid.isInstant ? found : await mergeEqual(run.pace, found)) results.push(one);
  }
  return results;
}

function setStep(
  all: readonly StepSeries[],
  outputs: readonly Output[],
  buckets: Buckets,
  step: number,
  labels: Labels,
): void {
  for (const [i, { valueAt }] of outputs.entries()) {
    const value = valueAt(buckets, step, labels);
    if (value === undefined) continue;
    all[i]!.values[step] = value;
    all[i]!.present[step] = 1;
  }
}

/** Returns the histograms in a vector. Series without a valid bound are left out, with a warning. */
async function histogramsOf(run: Run, vector: Plan, grid: Grid): Promise<Histogram[]> {
  const histograms = new Map<string, Histogram>();
  await run.pace.each(await run.collect(vector, grid), LABEL_WORK, (series) => {
    const { labels } = series;
    const text = labels.get(BUCKET);
    const bound = parseBound(text);
    if (bound === undefined) {
      const problem = `bucket label "${BUCKET}" is missing or has a malformed value of ${quoteText(text)}`;
      run.notes.warn(withMetric(problem, labels.get(METRIC_NAME)), vector.start);
      return;
    }
    const rest = labels.without(BUCKET);
    const histogram = histograms.get(rest.key) ?? { labels: rest, buckets: [] };
    histograms.set(rest.key, histogram);
    histogram.buckets.push({ bound, series });
  });
  for (const { buckets } of histograms.values()) buckets.sort((a, b) => compareBounds(a.bound, b.bound));
  return [...histograms.values()];
}

/** NaN comes first: it has no place, and must not move the others. */
function compareBounds(a: number, b: number): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(b)) - Number(Number.isNaN(a));
  return a < b ? -1 : a > b ? 1 : 0;
}
