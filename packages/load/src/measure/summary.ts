/** Computes the figures of a run from its rounds. */
import { max, mean, median, sum } from "d3-array";
import { recordOf } from "moonpack/bytes";
import type { ErrorCounts, RoundResult, Summary } from "../result.js";
import { Latencies } from "./histogram.js";
import { spreadOf } from "./spread.js";

/** Returns the rounds that count: the complete ones, or the only, partial one. */
export function counted(rounds: readonly RoundResult[]): readonly RoundResult[] {
  const complete = rounds.filter(({ partial }) => !partial);
  return complete.length > 0 ? complete : rounds;
}

/** Returns the summary of rounds; null for an empty list. */
export function summaryOf(rounds: readonly RoundResult[]): Summary | null {
  const used = counted(rounds);
  if (used.length === 0) return null;
  const response = merged(used.map(({ histograms }) => histograms.response));
  const service = used.map(({ histograms }) => histograms.service).filter((text) => text !== null);
  const late = used.map(({ histograms }) => histograms.late).filter((text) => text !== null);
  return {
    rounds: used.length,
    operations: sum(used, ({ operations }) => operations),
    perSecond: spreadOf(used.map(({ perSecond }) => perSecond)),
    response,
    service: service.length === 0 ? response : merged(service),
    late: late.length === 0 ? null : merged(late),
    errors: errorsOf(used),
    wrong: sum(rounds, ({ wrong }) => wrong),
    cpuMicros: median(used, ({ cpuMicros }) => cpuMicros)!,
    utilisation: mean(used, ({ utilisation }) => utilisation)!,
    loopDelayMs: max(used, ({ loopDelayMs }) => loopDelayMs)!,
    gcMs: sum(used, ({ gcMs }) => gcMs),
  };
}

function merged(encoded: readonly string[]) {
  return Latencies.merged(encoded).percentiles;
}

function errorsOf(rounds: readonly RoundResult[]): ErrorCounts {
  const counts = new Map<string, number>();
  for (const { errors } of rounds)
    for (const [code, count] of Object.entries(errors)) counts.set(code, (counts.get(code) ?? 0) + count);
  return recordOf([...counts].sort(([, a], [, b]) => b - a));
}

/** Returns the failures of a run. `warmUp` is the number of wrong answers in the warm-up. */
export function failuresOf(rounds: readonly RoundResult[], warmUp: number): string[] {
  const wrong = sum(rounds, (round) => round.wrong);
  const failures: string[] = [];
  if (warmUp > 0) failures.push(`${warmUp} wrong ${warmUp === 1 ? "answer" : "answers"} in the warm-up`);
  if (wrong > 0) failures.push(`${wrong} wrong ${wrong === 1 ? "answer" : "answers"}`);
  return failures;
}
