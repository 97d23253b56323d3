/** The jobs behind a store: what schedules and calls ask of either kind of store. */

/** Which minutes a round seals: the ones that are due, all up to now, or all. */
export type Reach = "due" | "past" | "all";

/** A delete of a span. Times are milliseconds, `to` exclusive. */
export interface Deleted {
  readonly id: number;
  readonly from: number;
  readonly to: number;
  /** The file of the log that holds it. */
  readonly file: number;
}

/** The work behind a store: one job at a time. */
export interface Jobs {
  /** Runs a job after the ones before it. */
  run<T>(job: () => Promise<T>): Promise<T>;
  /** The greatest Unix minute that is sealed; -1 before the first. */
  readonly sealed: number;
  readonly rounds: number;
  readonly pagesWritten: number;
  readonly hoursWritten: number;
  /** Damaged parts that were met. */
  readonly corrupt: number;
  /** Deletes take effect on what is sealed. */
  applyDeletes(): Promise<void>;
  seal(reach: Reach): Promise<void>;
  /** Old points take less space: roll-up, or compaction. */
  rollUp(): Promise<void>;
  /** Drops points beyond retention. `isAsked`: the user waits for it. */
  dropOldWeeks(isAsked: boolean): Promise<void>;
  /** Long jobs end early from now on. */
  stop(): void;
  /** Waits for all jobs. */
  settled(): Promise<void>;
}
