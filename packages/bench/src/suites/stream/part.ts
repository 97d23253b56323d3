import { runInChild } from "../../measure/child.js";
import { type Summary, summarize } from "../../measure/statistics.js";
import type { NumberTable } from "../../report/numbers.js";
import type { RunOptions } from "../../suite.js";

/** One question of the suite, with tables of its own. `--filter` chooses parts by their id. */
export interface Part {
  readonly id: string;
  run(options: RunOptions): Promise<NumberTable[]>;
  /** What a child process does with a job of this part. */
  work?(job: unknown): unknown;
}

/** Milliseconds of each task in each round, as a child process answers them. */
export type Times = Readonly<Record<string, readonly number[]>>;

/**
 * V8 drops the code of functions that were not called between six full collections, the optimized code too. The others'
 * tasks bring that about, and one would begin each sample in the interpreter.
 */
const KEEP_CODE = ["--no-flush-bytecode"];

/** Runs a job of a part in a process of its own. */
export function runPart<Answer>(part: string, job: object): Promise<Answer> {
  return runInChild<Answer>("stream", { part, job }, KEEP_CODE);
}

/** How many times longer than `base` a task took, round by round. */
export function slowness(processes: readonly Times[], task: string, base: string): Summary | undefined {
  if (processes.some((times) => times[task] === undefined || times[base] === undefined)) return undefined;
  return summarize(processes.map((times) => times[task]!.map((time, round) => time / times[base]![round]!)));
}
