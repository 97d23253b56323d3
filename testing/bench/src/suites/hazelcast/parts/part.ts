/** Shared by the parts of the suite. */
import { runScript } from "../../../measure/child.js";
import { type Summary, summarize } from "../../../measure/statistics.js";
import type { NumberTable } from "../../../report/numbers.js";
import type { HazelcastJob } from "../child.js";
import type { Place } from "../cluster.js";
import type { Round, Turns } from "../jobs/rounds.js";
import type { Scale } from "../scale.js";

/** A run of the suite. */
export interface PartRun {
  readonly place: Place;
  readonly processes: number;
  readonly scale: Scale;
}

/** A part of the suite with its own tables. `--filter` matches its id. */
export interface Part {
  readonly id: string;
  run(run: PartRun): Promise<NumberTable[]>;
}

const CHILD = new URL("../child.js", import.meta.url);

/** Runs a job in a new process. */
export function runJob<Result>(job: HazelcastJob): Promise<Result> {
  return runScript<Result>(CHILD, [JSON.stringify(job)]);
}

/** A figure of a way: the median over all rounds of all processes, with quartiles. */
export function figure(processes: readonly Turns[], way: string, of: (round: Round) => number): Summary {
  return summarize(processes.map((turns) => turns[way]!.map(of)));
}

/** A figure of a way as a multiple of another's, taken within each round. */
export function ratio(processes: readonly Turns[], way: string, base: string, of: (round: Round) => number): Summary {
  return summarize(processes.map((turns) => ratiosOf(turns[way]!.map(of), turns[base]!.map(of))));
}

/** Numbers as multiples of others, round by round, for the rounds that both have: a slow way has fewer. */
export function ratiosOf(values: readonly number[], bases: readonly number[]): number[] {
  return values.slice(0, bases.length).map((value, round) => value / bases[round]!);
}
