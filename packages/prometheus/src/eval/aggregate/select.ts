/** Aggregations that choose series: `topk`, `bottomk`, `limitk` and `limit_ratio`. Series keep all their labels. */
import { PrometheusError } from "../../errors.js";
import { formatShort } from "../../parse/format-number.js";
import type { AggregationPlan, Grid } from "../../plan/nodes.js";
import { hashRatio } from "../hash.js";
import { LABEL_WORK } from "../pace.js";
import type { Run } from "../run.js";
import type { StepSeries } from "../series.js";
import { Groups } from "./groups.js";
import { type Parameter, parameterOf } from "./parameter.js";
import { ValueHeap } from "./value-heap.js";

/** The work of comparing a value with those of a heap. */
const HEAP_WORK = 4;

/** Evaluates one. For an instant query, the series are in the order of their values. */
export async function selectSeries(run: Run, plan: AggregationPlan, grid: Grid): Promise<StepSeries[]> {
  const parameter = parameterOf(await run.scalar(plan.parameter!, grid));
  const series = await run.collect(plan.expression, grid);
  const isRatio = plan.operator === "limit_ratio";
  if (isRatio ? checkRatio(run, plan, parameter) : checkCount(parameter)) return [];
  const groups = new Groups<number[]>(plan, () => []);
  await run.pace.each(series.entries(), LABEL_WORK, ([i, { labels }]) => groups.of(labels).push(i));
  const chosen: number[] = [];
  const masks = series.map(() => new Uint8Array(grid.count));
  const ratios: number[] = [];
  if (isRatio) await run.pace.each(series, 32 * LABEL_WORK, ({ labels }) => ratios.push(hashRatio(labels)));
  for (let step = 0; step < grid.count; step++) {
    const k = parameter.values[step]!;
    for (const members of groups.all.values()) {
      const present = members.filter((i) => series[i]!.present[step] === 1);
      const kept = isRatio
        ? present.filter((i) => isWithin(Math.min(1, Math.max(-1, k)), ratios[i]!))
        : await chooseBy(run, plan, series, present, Math.trunc(Math.min(k, series.length)), step, grid.isInstant);
      for (const i of kept) {
        if (grid.isInstant) chosen.push(i);
        masks[i]![step] = 1;
      }
      const wait = run.pace.spend(members.length);
      if (wait !== undefined) await wait;
    }
  }
  for (const [i, one] of series.entries()) one.present.set(masks[i]!);
  return grid.isInstant ? chosen.map((i) => series[i]!) : series.filter(({ present }) => present.includes(1));
}

/** Chooses at most `k` of the series that have a value at a step: with `isOrdered` the best one first. */
async function chooseBy(
  { pace }: Run,
  { operator }: AggregationPlan,
  series: readonly StepSeries[],
  present: readonly number[],
  k: number,
  step: number,
  isOrdered: boolean,
): Promise<readonly number[]> {
  if (k < 1) return [];
  if (operator === "limitk") return present.slice(0, k);
  const heap = new ValueHeap(operator === "topk");
  await pace.each(present, HEAP_WORK, (index) => heap.offer({ index, value: series[index]!.values[step]! }, k));
  const chosen = isOrdered ? await pace.sort(heap.entries, heap.compare) : heap.entries;
  return chosen.map(({ index }) => index);
}

/** Returns true if no series is chosen. Throws `ERR_PROMQL_EXECUTION` for a k that is not a number. */
function checkCount({ least, greatest, hasNaN }: Parameter): boolean {
  if (greatest < 1) return true;
  if (hasNaN) throw new PrometheusError("ERR_PROMQL_EXECUTION", "Parameter value is NaN");
  if (least <= -(2 ** 63)) throw outOfRange(least, "underflows");
  if (greatest >= 2 ** 63) throw outOfRange(greatest, "overflows");
  return false;
}

function outOfRange(value: number, verb: string): PrometheusError {
  return new PrometheusError("ERR_PROMQL_EXECUTION", `Scalar value ${formatShort(value)} ${verb} int64`);
}

/** Returns true if no series is chosen. Throws `ERR_PROMQL_EXECUTION` for a ratio that is not a number. */
function checkRatio(run: Run, { parameter }: AggregationPlan, { least, greatest, hasNaN }: Parameter): boolean {
  if (greatest === 0 && least === 0) return true;
  if (hasNaN) throw new PrometheusError("ERR_PROMQL_EXECUTION", "Ratio value is NaN");
  const warn = (ratio: number, capped: number): void =>
    run.notes.warn(
      `ratio value should be between -1 and 1, got ${formatShort(ratio)}, capping to ${capped}`,
      parameter!.start,
    );
  if (greatest > 1) warn(greatest, 1);
  if (least < -1) warn(least, -1);
  return false;
}

/** A ratio below zero is the complement: `limit_ratio(0.2, x)` and `limit_ratio(-0.8, x)` have no series in common. */
function isWithin(ratio: number, hash: number): boolean {
  return ratio >= 0 ? hash < ratio : hash >= 1 + ratio;
}
