/** Series at the steps of a query. */
import { PrometheusError } from "../errors.js";
import type { Grid } from "../plan/nodes.js";
import type { Labels } from "./labels.js";
import { LABEL_WORK, type Pace } from "./pace.js";

/** A series with at most one value a step. Whoever receives one may change its arrays. */
export interface StepSeries {
  labels: Labels;
  /** True if the result has no metric's name: it is removed at the end, so that label functions see it. */
  dropName: boolean;
  readonly values: Float64Array;
  /** 1 for each step that has a value. */
  readonly present: Uint8Array;
}

/** The samples of a series in a range, without staleness markers. */
export interface RangeSeries {
  readonly labels: Labels;
  readonly dropName: boolean;
  readonly timestamps: Float64Array;
  readonly values: Float64Array;
}

/** Receives items one after the other; a promise makes the sender wait. */
export type Sink<T> = (item: T) => Promise<void> | undefined;

/** Calls `next` when `wait` has ended: at once without one. */
export function after(
  wait: Promise<void> | undefined,
  next: () => Promise<void> | undefined,
): Promise<void> | undefined {
  return wait === undefined ? next() : wait.then(next);
}

/** Returns a series without values. */
export function emptySeries(labels: Labels, dropName: boolean, { count }: Grid): StepSeries {
  return { labels, dropName, values: new Float64Array(count), present: new Uint8Array(count) };
}

/** Returns a series with these values at all steps. */
export function fullSeries(labels: Labels, values: Float64Array): StepSeries {
  return { labels, dropName: false, values, present: new Uint8Array(values.length).fill(1) };
}

/** The error of series that cannot be distinguished. */
export function sameLabels(): PrometheusError {
  return new PrometheusError("ERR_PROMQL_EXECUTION", "vector cannot contain metrics with the same labelset");
}

/** Merges series with equal labels. Throws `ERR_PROMQL_EXECUTION` if two have a value at the same step. */
export async function mergeEqual(pace: Pace, series: readonly StepSeries[]): Promise<StepSeries[]> {
  const merged = new Map<string, StepSeries>();
  await pace.each(series, LABEL_WORK, (one) => {
    const first = merged.get(one.labels.key);
    if (first === undefined) merged.set(one.labels.key, one);
    else addTo(first, one);
  });
  return [...merged.values()];
}

function addTo(first: StepSeries, { values, present }: StepSeries): void {
  for (let i = 0; i < present.length; i++) {
    if (present[i] === 0) continue;
    if (first.present[i] === 1) throw sameLabels();
    first.present[i] = 1;
    first.values[i] = values[i]!;
  }
}

/** Returns the first step with a value from `from` on; the number of steps without one. */
export function nextStep({ present }: StepSeries, from = 0): number {
  const next = present.indexOf(1, from);
  return next === -1 ? present.length : next;
}
