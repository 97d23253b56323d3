/** The set operators: `and`, `or` and `unless`. */
import type { VectorMatching } from "../../parse/nodes.js";
import type { BinaryPlan, Grid } from "../../plan/nodes.js";
import { signatureOf } from "../labels.js";
import { LABEL_WORK } from "../pace.js";
import type { Run } from "../run.js";
import { nextStep, type StepSeries, sameLabels } from "../series.js";

/** Evaluates a set operator. */
export async function setsCombined(run: Run, plan: BinaryPlan, grid: Grid): Promise<StepSeries[]> {
  const { operator, matching } = plan;
  const left = await run.collect(plan.left, grid);
  const right = await run.collect(plan.right, grid);
  if (operator !== "or") {
    await keepSteps(run, left, await presenceOf(run, right, matching!, grid), matching!, operator === "and");
    return left.filter(({ present }) => present.includes(1));
  }
  await keepSteps(run, right, await presenceOf(run, left, matching!, grid), matching!, false);
  return joined(run, left, right, grid);
}

/** Returns the steps at which any series of each signature has a value. */
async function presenceOf(
  { pace }: Run,
  series: readonly StepSeries[],
  matching: VectorMatching,
  { count }: Grid,
): Promise<Map<string, Uint8Array>> {
  const presence = new Map<string, Uint8Array>();
  await pace.each(series, LABEL_WORK + count, ({ labels, present }) => {
    const signature = signatureOfSide(labels, matching);
    const steps = presence.get(signature) ?? new Uint8Array(count);
    presence.set(signature, steps);
    for (let i = 0; i < count; i++) if (present[i] === 1) steps[i] = 1;
  });
  return presence;
}

function signatureOfSide(labels: StepSeries["labels"], { labels: names, isOn }: VectorMatching): string {
  return signatureOf(labels, names, !isOn);
}

/** Keeps the steps at which the other side has a series of the same signature, or has none. */
async function keepSteps(
  { pace }: Run,
  series: readonly StepSeries[],
  presence: ReadonlyMap<string, Uint8Array>,
  matching: VectorMatching,
  isKept: boolean,
): Promise<void> {
  await pace.each(series, LABEL_WORK + (series[0]?.present.length ?? 0), ({ labels, present }) => {
    const steps = presence.get(signatureOfSide(labels, matching));
    if (steps !== undefined) {
      for (let i = 0; i < present.length; i++) if ((steps[i] === 1) !== isKept) present[i] = 0;
    } else if (isKept) present.fill(0);
  });
}

/**
 * Returns the series of both sides. Those with equal labels become one, which has a metric's name if the earlier one has, as in
 * Prometheus. Throws `ERR_PROMQL_EXECUTION` if they have values at the same step.
 */
async function joined(
  { pace }: Run,
  left: readonly StepSeries[],
  right: readonly StepSeries[],
  { count, isInstant }: Grid,
): Promise<StepSeries[]> {
  const results: StepSeries[] = [];
  const byLabels = new Map<string, StepSeries>();
  await pace.each([...left, ...right], LABEL_WORK + count, (series) => {
    if (!series.present.includes(1)) return;
    const other = byLabels.get(series.labels.key);
    if (other === undefined || isInstant) {
      byLabels.set(series.labels.key, series);
      results.push(series);
      return;
    }
    if (nextStep(series) < nextStep(other)) other.dropName = series.dropName;
    for (let i = nextStep(series); i < count; i = nextStep(series, i + 1)) {
      if (other.present[i] === 1) throw sameLabels();
      other.present[i] = 1;
      other.values[i] = series.values[i]!;
    }
  });
  return results;
}
