/** Ramps: a load that changes in equal steps from the first round to the last. */
import { invalidArgument, ownOption } from "moonpack/bytes";

/** A load that changes in equal steps: `from` in the warm-up and the first round, `to` in the last round. */
export interface Ramp {
  /** The value of the first round. */
  readonly from: number;
  /** The value of the last round. */
  readonly to: number;
}

/** Returns the bounds of an option that is an object; undefined for any other value. */
export function boundsOf(option: unknown): { readonly from: unknown; readonly to: unknown } | undefined {
  if (typeof option !== "object" || option === null) return undefined;
  return { from: ownOption(option, "from"), to: ownOption(option, "to") };
}

/** Returns the value of a round. Rounds count from 1; 0 is the warm-up. */
export function stepOf(load: number | Ramp, round: number, rounds: number): number;
export function stepOf(load: number | Ramp | undefined, round: number, rounds: number): number | undefined;
export function stepOf(load: number | Ramp | undefined, round: number, rounds: number): number | undefined {
  if (typeof load !== "object") return load;
  const { from, to } = load;
  return from + ((to - from) * Math.max(0, round - 1)) / Math.max(1, rounds - 1);
}

/** The same for a number of workers: a whole number. */
export function workersOf(concurrency: number | Ramp, round: number, rounds: number): number {
  return Math.round(stepOf(concurrency, round, rounds));
}

/** Returns the highest value of a load. */
export function peakOf(load: number | Ramp): number {
  return typeof load === "number" ? load : Math.max(load.from, load.to);
}

/** Throws `ERR_INVALID_ARGUMENT` for a ramp without steps. */
export function checkSteps(loads: readonly (number | Ramp | undefined)[], rounds: number): void {
  if (rounds === 1 && loads.some((load) => typeof load === "object"))
    throw invalidArgument("a ramp needs at least 2 rounds: each round is a step");
}
