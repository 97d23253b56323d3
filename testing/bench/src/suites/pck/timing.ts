import { interleave, type Pace } from "../../measure/interleave.js";
import type { Operation } from "../../types.js";
import type { Codec } from "./candidates/candidate.js";
import { candidatesOf } from "./candidates/index.js";
import { contestant } from "./contestant.js";
import { ready } from "./ready.js";
import { verify } from "./verify.js";
import { findWorkload } from "./workloads/index.js";
import type { Story } from "./workloads/workload.js";

/** The race of all candidates on one kind of message in one direction. */
export interface TimingJob {
  readonly operation: Operation;
  readonly workload: string;
  readonly quick: boolean;
  /** The seed of the order. */
  readonly repetition: number;
}

/** The measurements of a process: nanoseconds per call, by candidate, for each round. */
export type TimingResult = Readonly<Record<string, readonly number[]>>;

const PACE: Pace = { warmUpRounds: 7, rounds: 15, sampleMs: 20 };
const QUICK_PACE: Pace = { warmUpRounds: 3, rounds: 5, sampleMs: 3 };

/** Inputs that each runtime loads in its own way. */
export interface Given {
  readonly stories: readonly Story[];
  /** The module emitted for the workload, if it can be loaded. */
  readonly emitted?: Codec;
}

/** Checks all candidates, then measures. Uses no Node modules, except for the parser of Protobuf schemas. */
export function measureTimes(job: TimingJob, { stories, emitted }: Given): TimingResult {
  const workload = findWorkload(job.workload);
  const all = ready(candidatesOf(job.operation), workload, workload.values(stories), emitted);
  verify(all, workload);
  const contestants = all.map((each) => contestant(each, job.operation));
  return Object.fromEntries(interleave(contestants, job.quick ? QUICK_PACE : PACE, job.repetition));
}
