/** The samples in a range at one step, and the functions of ranges. */

/** The samples of a series in the range of a step: those from index `low` up to `high`, without `high`. */
export interface Window {
  timestamps: Float64Array;
  values: Float64Array;
  low: number;
  high: number;
  /** The times before the first and at the last millisecond of the range. */
  from: number;
  to: number;
  /** The index and the time of the step. */
  step: number;
  time: number;
}

/** A function of ranges, for one call in a query. */
export interface RangeFunction {
  /** The fewest samples for which it has a value. */
  readonly least: 1 | 2;
  /** The time that it takes for a sample, in that of `sum_over_time`; 0 if it takes the same time for any number of samples. */
  readonly cost: 0 | 1 | 2 | 4;
  /** Prepares for another series, which is in `window`. */
  readonly begin?: (window: Window) => void;
  /** Returns the value at a step. Ranges only move forward. */
  readonly value: (window: Window) => number;
}
