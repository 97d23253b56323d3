import { runInChild } from "../measure/child.js";
import { interleave, type Pace } from "../measure/interleave.js";
import { type Summary, speedRatios, summarize } from "../measure/statistics.js";
import { progress } from "../progress.js";
import { type ResultHead, resultHead } from "../results.js";
import type { RunOptions } from "../suite.js";
import type { Candidate, InputKind, Operation, RaceJob, Workload } from "../types.js";
import { enter } from "./entry.js";

/** Codecs on workloads, in both directions. */
export interface Race {
  readonly name: string;
  readonly title: string;
  readonly candidates: readonly Candidate[];
  readonly workloads: readonly Workload[];
  readonly operations: readonly Operation[];
  readonly input: InputKind;
  /** Candidates to which the others are compared; the first one is 1.00 in the tables. */
  readonly baselines: readonly string[];
}

/** One candidate on one workload in one direction. */
export interface Cell {
  readonly workload: string;
  readonly operation: Operation;
  readonly candidate: string;
  /** Mean size of a message as this candidate writes or reads it. */
  readonly bytes?: number;
  /** Nanoseconds per message. */
  readonly time?: Summary;
  /** Speed as a multiple of each baseline's in the same round; bigger is faster. */
  readonly ratios?: Readonly<Record<string, Summary>>;
  /** Why it was not timed. */
  readonly refusal?: string;
}

/** The result file of a race. */
export interface RaceResult extends ResultHead {
  readonly input: InputKind;
  readonly baselines: readonly string[];
  readonly processes: number;
  readonly rounds: number;
  readonly workloads: readonly { readonly id: string; readonly title: string }[];
  readonly candidates: readonly Omit<Candidate, "create">[];
  readonly cells: readonly Cell[];
}

/** The result of a child process. */
interface JobResult {
  readonly times: Readonly<Record<string, number[]>>;
  readonly bytes: Readonly<Record<string, number>>;
  readonly refusals: Readonly<Record<string, string>>;
}

const FULL: Pace = { warmUpRounds: 8, rounds: 15, sampleMs: 25 };
const QUICK: Pace = { warmUpRounds: 10, rounds: 5, sampleMs: 12 };

/** Runs a race: one process for each workload, direction and repetition, so that they do not affect each other. */
export async function runRace(race: Race, options: RunOptions): Promise<RaceResult> {
  const workloads = race.workloads.filter(({ id }) => options.filter?.test(id) ?? true);
  if (workloads.length === 0) throw new Error(`no workload matches ${options.filter}`);
  const operations = race.operations.filter((operation) => (options.only ?? operation) === operation);
  const measurements = new Map<string, JobResult[]>();
  const total = options.processes * workloads.length * operations.length;
  let done = 0;
  for (let repetition = 0; repetition < options.processes; repetition++) {
    for (const { id: workload } of workloads) {
      for (const operation of operations) {
        progress(`${++done}/${total} ${operation} ${workload}`);
        const job: RaceJob = { suite: race.name, workload, operation, quick: options.quick, repetition };
        const key = `${workload} ${operation}`;
        measurements.set(key, [...(measurements.get(key) ?? []), await runInChild<JobResult>(race.name, job)]);
      }
    }
  }
  progress("");
  return {
    ...resultHead(
      race.name,
      options.quick,
      race.candidates.flatMap((candidate) => candidate.package ?? []),
    ),
    input: race.input,
    baselines: race.baselines,
    processes: options.processes,
    rounds: pace(options.quick).rounds,
    workloads: workloads.map(({ id, title }) => ({ id, title })),
    candidates: race.candidates.map(({ create, ...candidate }) => candidate),
    cells: workloads.flatMap(({ id }) =>
      operations.flatMap((operation) => combine(race, id, operation, measurements.get(`${id} ${operation}`) ?? [])),
    ),
  };
}

/** Measures one job; runs in a child process. */
export function measureRace(race: Race, job: RaceJob): JobResult {
  const workload = race.workloads.find(({ id }) => id === job.workload);
  if (workload === undefined) throw new Error(`no workload ${job.workload}`);
  const values = workload.values(job.quick);
  const refusals: Record<string, string> = {};
  const contestants = race.candidates.flatMap((candidate) => {
    const entry = enter(candidate, job.operation, values, race.input);
    if (entry?.contestant) return [entry.contestant];
    if (entry?.refusal === undefined) return [];
    if (candidate.ours || race.baselines.includes(candidate.id)) {
      throw new Error(`${candidate.id}, ${job.operation} ${job.workload}: ${entry.refusal}`);
    }
    refusals[candidate.id] = entry.refusal;
    return [];
  });
  const times = interleave(contestants, pace(job.quick), job.repetition);
  return {
    times: Object.fromEntries(times),
    bytes: Object.fromEntries(contestants.map(({ id, bytes }) => [id, bytes])),
    refusals,
  };
}

function pace(quick: boolean): Pace {
  return quick ? QUICK : FULL;
}

function combine(race: Race, workload: string, operation: Operation, measurements: readonly JobResult[]): Cell[] {
  return race.candidates.flatMap((candidate): Cell[] => {
    const cell = { workload, operation, candidate: candidate.id };
    const refusal = measurements[0]?.refusals[candidate.id];
    if (refusal !== undefined) return [{ ...cell, refusal }];
    const measured = measurements.filter((measurement) => candidate.id in measurement.times);
    if (measured.length === 0) return [];
    const ratios = race.baselines.map((baseline) => [
      baseline,
      summarize(measured.map(({ times }) => speedRatios(times[candidate.id]!, times[baseline]!))),
    ]);
    return [
      {
        ...cell,
        bytes: Math.round(measured[0]!.bytes[candidate.id]! * 10) / 10,
        time: summarize(measured.map(({ times }) => times[candidate.id]!)),
        ratios: Object.fromEntries(ratios) as Record<string, Summary>,
      },
    ];
  });
}
