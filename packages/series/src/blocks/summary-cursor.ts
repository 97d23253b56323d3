/** The points of one metric in one block as their summary: for a window that holds all of them. */
import type { FoundMetric } from "./block.js";
import type { Run, RunCursor } from "./run.js";
import type { Summaries } from "./summary.js";

/** Points that are summed up: they lie from `first` to `last`, in milliseconds. */
export interface SummedPoints {
  readonly summaries: Summaries;
  /** The place of the metric. */
  readonly place: number;
  /** Points, with NaN. */
  readonly count: number;
  readonly first: number;
  readonly last: number;
}

/** True if one window holds all points from a time to another one, both inclusive, so that their summary will do. */
export type IsOneWindow = (first: number, last: number) => boolean;

/** See above. */
export class SummaryCursor implements RunCursor {
  run: Run | undefined;
  readonly #points: SummedPoints;
  #isDone = false;

  constructor(points: SummedPoints) {
    this.#points = points;
  }

  advance(): undefined {
    this.run = this.#isDone
      ? undefined
      : { times: NO_TIMES, values: this.#points.summaries.first, from: 0, to: 1, summed: this.#points };
    this.#isDone = true;
    return undefined;
  }
}

const NO_TIMES = /* @__PURE__ */ new Float64Array(1);

/** The points of a metric in a block, summed up; undefined unless one window holds all, or if their sum is not finite. */
export function summedPoints({ page, place }: FoundMetric, isOneWindow: IsOneWindow): SummedPoints | undefined {
  const first = page.firstOf(page.starts[place]!);
  const last = page.lastOf(page.starts[place + 1]! - 1);
  if (!isOneWindow(first, last)) return undefined;
  const { summaries } = page;
  if (!Number.isFinite(summaries.sum.floats[place]! + summaries.rest.floats[place]!)) return undefined;
  return { summaries, place, count: page.pointsOf(place), first, last };
}
