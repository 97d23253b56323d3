/** Reads the summary of one metric in one block, for a window that contains all its points. */
import type { FoundMetric } from "./block.js";
import type { Run } from "./run.js";
import type { Summaries } from "./summary.js";

/** The summary of points with times from `first` to `last`, in milliseconds. */
export interface SummedPoints {
  /** The summaries of the index page. */
  readonly summaries: Summaries;
  /** The place of the metric. */
  readonly place: number;
  /** Number of points, including NaN. */
  readonly count: number;
  /** The time of the first point. */
  readonly first: number;
  /** The time of the last point. */
  readonly last: number;
}

/** Returns true if one window contains a range of times, both inclusive, so that a summary is sufficient. */
export type IsOneWindow = (first: number, last: number) => boolean;

const NO_TIMES = /* @__PURE__ */ new Float64Array(1);

/** Returns a summary as a run. */
export function summedRun(summed: SummedPoints): Run {
  return { times: NO_TIMES, values: summed.summaries.first, from: 0, to: 1, summed };
}

/** Returns the summary of a metric in a block; undefined if its points are in several windows, or if the sum is not finite. */
export function summedPoints({ page, place }: FoundMetric, isOneWindow: IsOneWindow): SummedPoints | undefined {
  const first = page.firstOf(page.starts[place]!);
  const last = page.lastOf(page.starts[place + 1]! - 1);
  if (!isOneWindow(first, last)) return undefined;
  const { summaries } = page;
  if (!Number.isFinite(summaries.sum.floats[place]! + summaries.rest.floats[place]!)) return undefined;
  return { summaries, place, count: page.pointsOf(place), first, last };
}
