/** The interface of background jobs, which both kinds of stores implement. Schedules and calls use it. */

/** The minutes that a round seals: minutes that are due, all minutes up to now, or all minutes. */
export type Reach = "due" | "past" | "all";

/**
 * The clock of retention: `"certain"`: no single reading deletes anything; `"sealed"`: or when the last minute was sealed; `"now"`: the
 * clock as it is, which the user trusts.
 */
export type DropWhen = "certain" | "sealed" | "now";

/** A delete of a time range. Times are milliseconds, `to` exclusive. */
export interface Deleted {
  /** The id of the metric. */
  readonly id: number;
  /** The first time, inclusive. */
  readonly from: number;
  /** The last time, exclusive. */
  readonly to: number;
  /** The number of the log file that contains it. */
  readonly file: number;
}

/** Background jobs of a store, one at a time. */
export interface Jobs {
  /** Runs a job after all earlier ones. */
  run<T>(job: () => Promise<T>): Promise<T>;
  /** The greatest Unix minute that is sealed; -1 before the first. */
  readonly sealed: number;
  /** Number of rounds since the store was opened. */
  readonly rounds: number;
  /** Number of blocks, or of pages of minutes, that were written. */
  readonly pagesWritten: number;
  /** Number of merges, or of pages of hours that were written. */
  readonly hoursWritten: number;
  /** Number of damaged parts that jobs have found. */
  readonly corrupt: number;
  /** Applies deletes to sealed points. */
  applyDeletes(): Promise<void>;
  /** Seals minutes. */
  seal(reach: Reach): Promise<void>;
  /** Rewrites old points so that they take less space: roll-up, or compaction. */
  rollUp(): Promise<void>;
  /** Drops points beyond retention. */
  dropOldWeeks(when: DropWhen): Promise<void>;
  /** Makes running and later jobs end early. */
  stop(): void;
  /** Waits for all jobs. */
  settled(): Promise<void>;
}
