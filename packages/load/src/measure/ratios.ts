import type { LoadResult, Ratios, RoundResult } from "../result.js";
import { spreadOf } from "./spread.js";

/** Minimum of a figure, 1 ns: a clock with a low resolution may show 0. */
const MIN_FIGURE = 1e-6;

/** True for a complete round with successful operations. */
function isUsable({ partial, operations }: RoundResult): boolean {
  return !partial && operations > 0;
}

/** Returns ratios to the first target, computed within each round that both targets have completed. */
export function ratiosOf(results: readonly LoadResult[]): Ratios[] {
  const [first, ...others] = results;
  return others.flatMap(({ target, rounds }) => {
    const pairs = rounds.flatMap((round, i) => {
      const base = first!.rounds[i];
      return base === undefined || !isUsable(base) || !isUsable(round) ? [] : [{ round, base }];
    });
    if (pairs.length === 0) return [];
    const spread = (figure: (round: RoundResult) => number) =>
      spreadOf(
        pairs.map(({ round, base }) => Math.max(figure(round), MIN_FIGURE) / Math.max(figure(base), MIN_FIGURE)),
      );
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
