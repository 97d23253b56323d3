/** Instant selectors: the newest sample of each series within the lookback. */
import type { Grid, SelectorPlan } from "../plan/nodes.js";
import type { Run } from "./run.js";
import { after, emptySeries, type Sink, type StepSeries } from "./series.js";
import type { SampleSeries } from "./source.js";

/** Evaluates a selector. With `isTime`, the values are the samples' times in seconds. */
export function eachSelected(
  run: Run,
  { read, offset, at }: SelectorPlan,
  grid: Grid,
  sink: Sink<StepSeries>,
  isTime = false,
): Promise<void> {
  return run.samples.each(read, (series) => {
    run.budget.pass(series.timestamps.length + grid.count);
    const out = emptySeries(series.labels, false, grid);
    const first = (at ?? grid.start) - offset;
    const hasAny = fill(out, series, first, at === undefined ? grid.step : 0, run.lookback, isTime);
    return after(run.pace.spend(grid.count), () => (hasAny ? sink(out) : undefined));
  });
}

/** Fills in the values at the times `first`, `first + step`, .. Returns false if there are none. */
function fill(
  { values, present }: StepSeries,
  series: SampleSeries,
  first: number,
  step: number,
  lookback: number,
  isTime: boolean,
): boolean {
  const { timestamps, stale } = series;
  const source = isTime ? timestamps : series.values;
  const divisor = isTime ? 1000 : 1;
  const { length } = timestamps;
  let hasAny = false;
  let next = 0;
  for (let i = 0, time = first; i < present.length; i++, time += step) {
    while (next < length && timestamps[next]! <= time) next++;
    const last = next - 1;
    if (last < 0 || timestamps[last]! <= time - lookback) continue;
    if (stale !== undefined && isStale(stale, last)) continue;
    values[i] = isTime ? source[last]! / divisor : source[last]!;
    present[i] = 1;
    hasAny = true;
  }
  return hasAny;
}

/** True if sample `i` is a staleness marker. */
export function isStale(stale: Uint8Array, i: number): boolean {
  return ((stale[i >> 3]! >> (i & 7)) & 1) === 1;
}
