import { encodeIntoCompressedBase64 } from "hdr-histogram-js";
import { timeCalmly } from "../../../measure/calm.js";
import type { Operation } from "../../../types.js";
import { candidateOf } from "../candidates.js";
import type { GroupTimes } from "../figures.js";
import { latencyHistogram } from "../latencies.js";
import { drawSequence, GROUP, planOf } from "../sequence.js";
import { workerOf } from "../shuffled-runs.js";
import { readDocuments } from "../stored.js";

/** One candidate through the whole sequence in its own process. */
export interface AloneJob {
  readonly kind: "alone";
  readonly folder: string;
  readonly operation: Operation;
  readonly candidate: string;
  readonly seed: number;
  readonly quick: boolean;
}

/** Times of groups, and nanoseconds of single messages as an HDR histogram. */
export interface AloneResult {
  readonly times: GroupTimes;
  readonly latencies: string;
}

/** Messages that are timed one by one: the start, before a service is warm. */
export const LATENCY_MESSAGES = 20_000;

/** Times every message. Messages of a group in which the process was interrupted have no latency. */
export function alone({ folder, operation, candidate, seed, quick }: AloneJob): AloneResult {
  const stored = readDocuments(folder);
  const { call, prepare } = workerOf(candidateOf(candidate), operation, stored)!;
  const sequence = drawSequence(stored.mixed, planOf(quick), seed);
  const micros: number[] = [];
  const interrupted: number[] = [];
  const latencies = latencyHistogram();
  const single = new Float64Array(GROUP);
  for (let from = 0; from < sequence.length; from += GROUP) {
    const inputs = prepare(sequence.slice(from, from + GROUP));
    const timing = timeCalmly(() => timeEach(call, inputs, single));
    if (timing.interrupted) interrupted.push(micros.length);
    else if (from < LATENCY_MESSAGES) for (const each of single) latencies.recordValue(Math.round(each * 1e6));
    micros.push(Math.round(single.reduce((sum, each) => sum + each, 0) * 1e4) / 10);
  }
  return { times: { micros, interrupted }, latencies: encodeIntoCompressedBase64(latencies) };
}

/** The last result, so that the compiler cannot remove the work. */
let last: unknown;

function timeEach(call: (input: unknown) => unknown, inputs: readonly unknown[], times: Float64Array): void {
  for (let i = 0; i < inputs.length; i++) {
    const start = performance.now();
    last = call(inputs[i]);
    times[i] = performance.now() - start;
  }
  if (last === undefined) throw new Error("no result");
}
