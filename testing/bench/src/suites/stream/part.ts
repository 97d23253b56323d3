import { runInChild } from "../../measure/child.js";
import { type Summary, summarize } from "../../measure/statistics.js";
import type { NumberTable } from "../../report/numbers.js";
import type { RunOptions } from "../../suite.js";

/** A part of the suite with its own tables. `--filter` matches its id. */
export interface Part {
  readonly id: string;
  run(options: RunOptions): Promise<NumberTable[]>;
  /** Runs a job of this part in a child process. */
  work?(job: unknown): unknown;
}

/** Milliseconds of each task in each round, as a child process returns them. */
export type Times = Readonly<Record<string, readonly number[]>>;

/**
 * V8 drops the code of functions that were not called between six full collections, including optimized code. The tasks of others
 * cause these, and each sample would then begin in the interpreter.
 */
const KEEP_CODE = ["--no-flush-bytecode"];

/** Runs a job of a part in a new process. */
export function runPart<Result>(part: string, job: object): Promise<Result> {
  return runInChild<Result>("stream", { part, job }, KEEP_CODE);
}

/** How many times longer than `base` a task took, round by round. */
export function slowness(processes: readonly Times[], task: string, base: string): Summary | undefined {
  if (processes.some((times) => times[task] === undefined || times[base] === undefined)) return undefined;
  return summarize(processes.map((times) => times[task]!.map((time, round) => time / times[base]![round]!)));
}
