import { Latencies } from "../measure/histogram.js";
import type { LoadResult } from "../result.js";

/** A curve of percentiles: pairs of a percentile (below 100) and milliseconds. */
export interface Curve {
  readonly label: string;
  readonly points: readonly (readonly [number, number])[];
}

/** Factor between the odds of neighbouring points (1 in x operations takes longer). */
const STEP = 10 ** 0.05;
/** The shortest time in a picture: a logarithm needs a positive number. */
const MIN_MS = 1e-6;

/** Returns the curves of results: response times, and service times if they differ. */
export function curvesOf(results: readonly LoadResult[]): Curve[] {
  return results.flatMap(({ target, rounds, options }) => {
    const complete = rounds.filter(({ partial }) => !partial);
    const used = complete.length > 0 ? complete : rounds;
    const curve = (label: string, encoded: readonly string[]): Curve => ({ label, points: pointsOf(encoded) });
    const response = used.map(({ histograms }) => histograms.response);
    const service = used.map(({ histograms }) => histograms.service).filter((text) => text !== null);
    if (options.rate === null) return [curve(`${target}: service time`, response)];
    return [
      curve(`${target}: response time, from the due time of operations`, response),
      curve(`${target}: service time, from the start of operations`, service),
    ];
  });
}

function pointsOf(encoded: readonly string[]): [number, number][] {
  const all = Latencies.merged(encoded);
  const points: [number, number][] = [];
  for (let odds = 1; odds <= all.count; odds *= STEP) {
    const percentile = 100 - 100 / odds;
    points.push([percentile, Math.max(MIN_MS, all.at(percentile))]);
  }
  return points;
}
