import { median } from "simple-statistics";
import { interleave, type Pace } from "../../../measure/interleave.js";
import { compileLoop } from "../../../measure/loop.js";
import { enter } from "../../../race/entry.js";
import type { Operation } from "../../../types.js";
import { workloads } from "../../../workloads/index.js";
import { ours } from "../candidates.js";
import { drawSequence, GROUP, planOf } from "../sequence.js";
import { workerOf } from "../shuffled-runs.js";
import { readDocuments } from "../stored.js";

/** One of the isolated workloads, in a fresh process, or after the whole mix. */
export interface CompanyJob {
  readonly kind: "company";
  readonly folder: string;
  readonly operation: Operation;
  readonly workload: string;
  readonly seed: number;
  readonly quick: boolean;
  readonly inCompany: boolean;
}

const FULL: Pace = { warmUpRounds: 8, rounds: 15, sampleMs: 25 };
const QUICK: Pace = { warmUpRounds: 10, rounds: 5, sampleMs: 12 };

/** Nanoseconds of a message. */
export function company(job: CompanyJob): number {
  const { operation, workload: id, quick } = job;
  if (job.inCompany) runMix(job);
  const workload = workloads.find((each) => each.id === id)!;
  const entry = enter(ours, operation, workload.values(quick), "uint8array");
  if (entry?.contestant === undefined) throw new Error(`${id}: ${entry?.refusal}`);
  return median(interleave([entry.contestant], quick ? QUICK : FULL).get(ours.id)!);
}

function runMix({ folder, operation, seed, quick }: CompanyJob): void {
  const stored = readDocuments(folder);
  const { call, prepare } = workerOf(ours, operation, stored)!;
  const sequence = drawSequence(stored.mixed, planOf(quick), seed);
  const loop = compileLoop();
  for (let from = 0; from < sequence.length; from += GROUP) {
    loop(call, prepare(sequence.slice(from, from + GROUP)), GROUP, { value: undefined });
  }
}
