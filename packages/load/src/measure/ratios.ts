import type { LoadResult, Ratios, RoundResult } from "../result.js";
import { spreadOf } from "./spread.js";

/** Clocks may show no time at all, or none of the processor: a nanosecond then. */
const LEAST = 1e-6;

/** A round that is complete and has figures. */
function isWhole({ partial, operations }: RoundResult): boolean {
  return !partial && operations > 0;
}

/** Ratios to the first target, taken within each round that all targets have completed. */
export function ratiosOf(results: readonly LoadResult[]): Ratios[] {
  const [first, ...others] = results;
  return others.flatMap(({ target, rounds }) => {
    const pairs = rounds.flatMap((round, i) => {
      const base = first!.rounds[i];
      return base === undefined || !isWhole(base) || !isWhole(round) ? [] : [{ round, base }];
    });
    if (pairs.length === 0) return [];
    const spread = (figure: (round: RoundResult) => number) =>
      spreadOf(pairs.map(({ round, base }) => Math.max(figure(round), LEAST) / Math.max(figure(base), LEAST)));
    return [
      {
        target,
        perSecond: spread(({ perSecond }) => perSecond),
        p50: spread(({ response }) => response.p50),
        p99: spread(({ response }) => response.p99),
        cpuMicros: spread(({ cpuMicros }) => cpuMicros),
      },
    ];
  });
}
