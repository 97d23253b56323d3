/** How far a run is. */
export interface Progress {
  /** The target's name. */
  readonly target: string;
  readonly phase: "setup" | "warm-up" | "round";
  /** From 1; 0 before the first round. */
  readonly round: number;
  readonly rounds: number;
  /** The share of this phase that is done, from 0 to 1. */
  readonly done: number;
  /** Operations of this phase that have ended well. */
  readonly operations: number;
  /** Operations of this phase that have failed. */
  readonly errors: number;
  /** Operations a second of this phase so far. */
  readonly perSecond: number;
}
