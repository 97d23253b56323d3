import { runInChild } from "../../measure/child.js";
import type { NumberTable } from "../../report/numbers.js";
import type { RunOptions } from "../../suite.js";

/** A part of the suite with its own tables. `--filter` matches its id. */
export interface Part {
  readonly id: string;
  run(options: RunOptions): Promise<NumberTable[]>;
  /** Runs a job of this part in its own process. */
  work(job: unknown): Promise<unknown>;
}

/** Runs a job of a part in a new process. */
export function runPart<Result>(part: string, job: object): Promise<Result> {
  return runInChild<Result>("runner", { part, job });
}
