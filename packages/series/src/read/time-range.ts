/** A range of time. */

/** A range of time in milliseconds, `to` exclusive. */
export interface TimeRange {
  /** The first time, inclusive. */
  readonly from: number;
  /** The last time, exclusive. */
  readonly to: number;
}
