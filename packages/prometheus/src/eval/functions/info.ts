/** `info`: adds labels of series such as `target_info` to the series with the same `instance` and `job`. */
import { PrometheusError } from "../../errors.js";
import type { LabelMatcher } from "../../parse/nodes.js";
import type { Grid, InfoPlan, SelectorPlan } from "../../plan/nodes.js";
import { type Labels, METRIC_NAME, NO_LABELS, signatureOf } from "../labels.js";
import { valueTest } from "../matchers.js";
import { LABEL_WORK, type Pace, WORK_UNITS } from "../pace.js";
import type { Run } from "../run.js";
import { eachSelected } from "../selector.js";
import { emptySeries, type StepSeries, sameLabels } from "../series.js";

/** The labels by which series are matched. */
const IDENTIFYING = ["instance", "job"];
const TARGET_INFO: LabelMatcher = { name: METRIC_NAME, operator: "=", value: "target_info" };
const ANY_INFO: LabelMatcher = { name: METRIC_NAME, operator: "=~", value: ".+_info" };

/** A series with labels to add, and the times of its samples at each step. */
interface Added {
  readonly labels: Labels;
  readonly signature: string;
  readonly times: StepSeries;
}

/** A series, with the labels that were added last. */
interface Base {
  readonly series: StepSeries;
  readonly signature: string;
  /** True for an info series itself, which is returned as it is. */
  readonly isIgnored: boolean;
  added: readonly Added[];
  labels: Labels;
}

/** Evaluates a call. Throws `ERR_PROMQL_EXECUTION` if the added labels contradict each other. */
export async function addInfo(run: Run, plan: InfoPlan, grid: Grid): Promise<StepSeries[]> {
  const names = nameMatchers(plan.matchers);
  const data = plan.matchers?.filter(({ name }) => name !== METRIC_NAME) ?? [];
  const isInfo = names.map(valueTest);
  await run.pace.spend(WORK_UNITS);
  const base: Base[] = [];
  // A regular expression may take milliseconds for a name.
  const work = names.some(({ operator }) => operator === "=~" || operator === "!~") ? WORK_UNITS : LABEL_WORK;
  await run.pace.each(await run.collect(plan.expression, grid), work, (series) => {
    const { labels } = series;
    const isIgnored = isInfo.every((holds) => holds(labels.get(METRIC_NAME)));
    base.push({ series, signature: signatureOf(labels, IDENTIFYING, false), isIgnored, added: [], labels });
  });
  const added = await readInfo(run, plan, grid, base, [...data, ...names]);
  const results = new Map<string, StepSeries>();
  const isOptional = data.every((matcher) => valueTest(matcher)(""));
  const wanted = data.length === 0 ? undefined : new Set(data.map(({ name }) => name));
  for (let step = 0; step < grid.count; step++) {
    const isEmpty = base.every(({ series }) => series.present[step] === 0);
    const newest = isEmpty ? new Map<string, Map<string, Added>>() : await newestOf(run.pace, added, step);
    await run.pace.each(base, LABEL_WORK, (one) => {
      const { series, isIgnored, signature } = one;
      if (series.present[step] === 0) return;
      const matching = isIgnored ? undefined : newest.get(signature);
      if (matching === undefined && !isIgnored && !isOptional) return;
      setAdded(one, matching === undefined ? [] : [...matching.values()], wanted);
      copyStep(run, series, one.labels, step, grid, results);
    });
  }
  return [...results.values()];
}

/** The conditions on the names of info series. */
function nameMatchers(matchers: readonly LabelMatcher[] | undefined): readonly LabelMatcher[] {
  const given = matchers?.filter(({ name }) => name === METRIC_NAME) ?? [];
  if (given.length === 0) return [TARGET_INFO];
  return given.some(({ operator }) => operator === "=" || operator === "=~") ? given : [ANY_INFO, ...given];
}

/** Reads the info series that match any of the series. */
async function readInfo(
  run: Run,
  { reference, start }: InfoPlan,
  grid: Grid,
  base: readonly Base[],
  matchers: readonly LabelMatcher[],
): Promise<Added[]> {
  const identities = new Set(base.filter(({ isIgnored }) => !isIgnored).map(({ signature }) => signature));
  identities.delete(signatureOf(NO_LABELS, IDENTIFYING, false));
  if (identities.size === 0) return [];
  const { at, offset } = reference;
  const last = grid.start + (grid.count - 1) * grid.step;
  const read = { matchers, from: (at ?? grid.start) - offset - run.lookback + 1, to: (at ?? last) - offset, uses: 1 };
  const selector: SelectorPlan = { kind: "selector", valueType: "vector", matchers, read, at, offset, start };
  const added: Added[] = [];
  const collect = (times: StepSeries): undefined => {
    const signature = signatureOf(times.labels, IDENTIFYING, false);
    if (!identities.has(signature)) return;
    run.budget.hold(grid.count);
    added.push({ labels: times.labels, signature, times });
  };
  await eachSelected(run, selector, grid, collect, true);
  return added;
}

/** Returns the newest info series at a step by their identifying labels and names. */
async function newestOf(pace: Pace, added: readonly Added[], step: number): Promise<Map<string, Map<string, Added>>> {
  const newest = new Map<string, Map<string, Added>>();
  await pace.each(added, LABEL_WORK, (one) => {
    if (one.times.present[step] === 0) return;
    const ofSignature = newest.get(one.signature) ?? new Map<string, Added>();
    newest.set(one.signature, ofSignature);
    const name = one.labels.get(METRIC_NAME);
    const other = ofSignature.get(name);
    const time = one.times.values[step]!;
    const otherTime = other?.times.values[step];
    if (time === otherTime) throw duplicate(other!.labels, otherTime, one.labels, time);
    if (otherTime === undefined || otherTime < time) ofSignature.set(name, one);
  });
  return newest;
}

function duplicate(a: Labels, timeOfA: number, b: Labels, timeOfB: number): PrometheusError {
  const times = [timeOfA, timeOfB].map((seconds) => Math.round(seconds * 1000));
  return failure(`found duplicate series for info metric: existing ${a} @ ${times[0]}, new ${b} @ ${times[1]}`);
}

/** Adds the labels of info series that a series lacks; nothing to do if they are the same ones as before. */
function setAdded(base: Base, added: readonly Added[], wanted: ReadonlySet<string> | undefined): void {
  if (added.length === base.added.length && added.every((one, i) => one === base.added[i])) return;
  base.added = added;
  const { labels } = base.series;
  const more = new Map<string, string>();
  for (const info of added)
    for (const [name, value] of info.labels) {
      if (name === METRIC_NAME || (wanted !== undefined && !wanted.has(name))) continue;
      const other = more.get(name);
      if (other !== undefined && other !== value) throw failure(`conflicting label: ${name}`);
      if (labels.get(name) === "") more.set(name, value);
    }
  base.labels = labels.with(more);
}

/** Copies the value of a step to the result with these labels. */
function copyStep(
  run: Run,
  series: StepSeries,
  labels: Labels,
  step: number,
  grid: Grid,
  results: Map<string, StepSeries>,
): void {
  let result = results.get(labels.key);
  if (result === undefined) {
    run.budget.hold(grid.count);
    result = emptySeries(labels, series.dropName, grid);
    results.set(labels.key, result);
  }
  if (result.present[step] === 1) throw sameLabels();
  result.present[step] = 1;
  result.values[step] = series.values[step]!;
}

function failure(text: string): PrometheusError {
  return new PrometheusError("ERR_PROMQL_EXECUTION", text);
}
