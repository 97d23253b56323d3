/** The part of the load runner's results that a job returns. */
import type { Comparison, RoundResult } from "@moonpack/load";

/** One round of one way. Times are milliseconds. */
export interface Round {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly cpuMicros: number;
}

/** By way: its rounds. Rounds of the same number were measured one after the other. */
export type Turns = Readonly<Record<string, readonly Round[]>>;

/** The rounds of a comparison. Throws if an operation failed, or returned something wrong. */
export function turnsOf({ targets }: Comparison): Turns {
  return Object.fromEntries(
    targets.map(({ target, rounds, summary, failures }) => {
      const errors = Object.entries(summary?.errors ?? {});
      if (failures.length > 0 || errors.length > 0)
        throw new Error(`${target}: ${[...failures, ...errors.map((error) => error.join(": "))].join(", ")}`);
      return [target, rounds.map(roundOf)];
    }),
  );
}

function roundOf({ perSecond, response: { p50, p99 }, cpuMicros }: RoundResult): Round {
  return { perSecond, p50, p99, cpuMicros };
}
