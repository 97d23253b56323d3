/** The common interface of float and int64 windows. */
import type { SummedPoints } from "../blocks/summary-cursor.js";
import type { PlannedAggregate } from "./aggregate.js";
import type { RowTarget } from "./columns.js";
import type { WindowPlan } from "./plan.js";

/** Values of points: floats, or the words of int64, in the same memory as in {@link Values64}. */
export interface PointValues {
  readonly floats: Float64Array;
  readonly words: Int32Array;
}

/** The state of one window. */
export interface WindowState {
  /** Adds the points from `i` (inclusive) to `j` (exclusive): at least one. */
  add(values: PointValues, i: number, j: number): void;
  /** Adds the summary of points. Only for aggregates that {@link canSum} allows. */
  addSummed(points: SummedPoints): void;
  /** Sets the base of `increase`: a point before the first window. */
  startAfter(values: PointValues, i: number): void;
  /** Writes the aggregates into a row. `seconds` is the length of the window, for `rate`. */
  write(target: RowTarget, row: number, seconds: number): void;
  /** Starts the next window. The last number of this one is the base of its `increase`. */
  clear(): void;
  /** Starts another metric: as {@link clear}, but without a base of `increase`. */
  restart(): void;
}

/** The groups of aggregates that a plan needs: each is one loop over the points. */
export interface Needs {
  readonly aggregates: readonly PlannedAggregate[];
  /** `sum`, `avg`. */
  readonly sum: boolean;
  /** `min`, `max`. */
  readonly extremes: boolean;
  /** `increase`, `rate`. */
  readonly steps: boolean;
  /** Percentiles. */
  readonly order: boolean;
}

/** Returns the groups of aggregates that a plan needs. */
export function needsOf({ aggregates }: WindowPlan): Needs {
  const has = (...kinds: string[]) => aggregates.some(({ kind }) => kinds.includes(kind));
  return {
    aggregates,
    sum: has("sum", "avg"),
    extremes: has("min", "max"),
    steps: has("increase", "rate"),
    order: has("percentile"),
  };
}

/** True if a plan's aggregates can be computed from summaries of points. */
export function canSum({ aggregates }: WindowPlan): boolean {
  return aggregates.every(({ kind }) => kind !== "percentile" && kind !== "increase" && kind !== "rate");
}
