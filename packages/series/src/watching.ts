/** Points as they are written: the types of `watch` (docs/series.md, "Watch"). */
import type { MetricHandle } from "./metric/metric.js";
import type { MetricChoice, Point } from "./queries.js";

/** The metrics to watch: those that match, or a list. Metrics that appear later are watched, too. */
export interface Watching extends MetricChoice {
  /** Ends the loop with `ERR_ABORTED`. */
  readonly signal?: AbortSignal;
  /** Maximum number of points that wait for the loop. When more are written, the oldest are dropped. Default: 65,536. */
  readonly maxPoints?: number;
}

/** A point of a watched metric. */
export interface WatchedPoint extends Point {
  /** The metric. */
  readonly metric: MetricHandle;
}

/** The points that were written since the last batch. */
export interface WatchedBatch {
  /** At most 4,096 points, in the order of their writes. */
  readonly points: readonly WatchedPoint[];
  /** Number of points between the last batch and this one that were dropped, because the loop was too slow. */
  readonly dropped: number;
}
