/** A range of time. */

/** A range of time in milliseconds, `to` exclusive. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}
