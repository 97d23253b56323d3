/** The figures of a round. */
import type { RoundResult } from "../result.js";
import type { Meter } from "./meter.js";
import type { RunnerShare } from "./runner-share.js";

/** A round that ends so many milliseconds after its schedule could not follow it. */
const BEHIND_MS = 100;

/** What is known of a round besides its meter. */
export interface RoundEnd {
  /** When the round started, by its clock. */
  readonly start: number;
  /** Milliseconds of the schedule, of a partial round those of the part that was done; undefined without a schedule. */
  readonly scheduledMs: number | undefined;
  readonly share: RunnerShare;
  readonly partial: boolean;
}

/** Computes the figures of a round. */
export function roundResult(meter: Meter, { start, scheduledMs, share, partial }: RoundEnd): RoundResult {
  const { operations, service, late } = meter;
  const response = meter.response ?? service;
  const lastMs = meter.ended.reduce((last, ended) => Math.max(last, ended - start), 0);
  const all = operations + meter.errors.total;
  return {
    operations,
    seconds: lastMs / 1000,
    perSecond:
      scheduledMs === undefined ? perSecondOfLanes(meter, start) : (operations / Math.max(scheduledMs, lastMs)) * 1000,
    errors: meter.errors.counts,
    wrong: meter.wrong,
    response: response.percentiles,
    service: service.percentiles,
    late: late?.percentiles ?? null,
    histograms: {
      response: response.encoded,
      service: meter.response === undefined ? null : service.encoded,
      late: late?.encoded ?? null,
    },
    cpuMicros: all === 0 ? 0 : share.cpuMicros / all,
    utilisation: share.utilisation,
    loopDelayMs: share.loopDelayMs,
    gcMs: share.gcMs,
    saturated: scheduledMs !== undefined && !partial && lastMs > scheduledMs + BEHIND_MS,
    partial,
  };
}

/**
 * The sum of what the lanes did a second, each until the end of its own last operation. A single slow operation at the end of a round
 * would otherwise count for all lanes, which wait for it.
 */
function perSecondOfLanes({ byLane, ended }: Meter, start: number): number {
  let sum = 0;
  for (let lane = 0; lane < byLane.length; lane++)
    if (byLane[lane]! > 0) sum += byLane[lane]! / Math.max(ended[lane]! - start, LEAST_MS);
  return sum * 1000;
}

/** The resolution of clocks: a lane takes at least as long. */
const LEAST_MS = 1e-3;
