/** Computes the figures of a round. */
import type { RoundResult } from "../result.js";
import type { Meter } from "./meter.js";
import type { RunnerOverhead } from "./runner-overhead.js";

/** A round that ends this long after its schedule is saturated. */
const BEHIND_MS = 100;

/** Facts about a round besides its meter. */
export interface RoundEnd {
  /** The start time of the round, by its clock. */
  readonly start: number;
  /** Duration of the schedule, for a partial round of its executed part; undefined without a schedule. */
  readonly scheduledMs: number | undefined;
  readonly overhead: RunnerOverhead;
  readonly partial: boolean;
}

/** Returns the figures of a round. */
export function roundResult(meter: Meter, { start, scheduledMs, overhead, partial }: RoundEnd): RoundResult {
  const { operations, service, late } = meter;
  const response = meter.response ?? service;
  const lastMs = meter.ended.reduce((last, ended) => Math.max(last, ended - start), 0);
  const all = operations + meter.errors.total;
  return {
    operations,
    seconds: lastMs / 1000,
    perSecond:
      scheduledMs === undefined
        ? perSecondOfWorkers(meter, start)
        : (operations / Math.max(scheduledMs, lastMs)) * 1000,
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
    cpuMicros: all === 0 ? 0 : overhead.cpuMicros / all,
    utilisation: overhead.utilisation,
    loopDelayMs: overhead.loopDelayMs,
    gcMs: overhead.gcMs,
    saturated: scheduledMs !== undefined && !partial && lastMs > scheduledMs + BEHIND_MS,
    partial,
  };
}

/**
 * Returns the sum of the workers' throughputs, each until the end of the worker's last operation. Otherwise a single slow operation at the
 * end of a round would reduce the throughput of all workers.
 */
function perSecondOfWorkers({ byWorker, ended }: Meter, start: number): number {
  let sum = 0;
  for (let worker = 0; worker < byWorker.length; worker++)
    if (byWorker[worker]! > 0) sum += byWorker[worker]! / Math.max(ended[worker]! - start, MIN_MS);
  return sum * 1000;
}

/** The resolution of clocks: the minimum duration of a worker. */
const MIN_MS = 1e-3;
