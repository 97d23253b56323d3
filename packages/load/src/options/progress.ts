/** The progress of a run, for `onProgress`. */
export interface Progress {
  /** The target's name. */
  readonly target: string;
  /** The part of the run: the target's `setup`, the warm-up, or a round. */
  readonly phase: "setup" | "warm-up" | "round";
  /** From 1; 0 before the first round. */
  readonly round: number;
  /** The number of rounds of the run. */
  readonly rounds: number;
  /**
   * The length of the whole run in milliseconds: the warm-up and the rounds of all targets. Null if the target determines how long
   * rounds take.
   */
  readonly plannedMs: number | null;
  /** The completed share of this phase, from 0 to 1. */
  readonly done: number;
  /** Successful operations of this phase. */
  readonly operations: number;
  /** Failed operations of this phase. */
  readonly errors: number;
  /** Successful operations per second of this phase so far. */
  readonly perSecond: number;
}
